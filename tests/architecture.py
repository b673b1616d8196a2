"""The includes follow the map: a room includes core, itself and what CMakeLists.txt lists as its USES; and
docs/architecture.md names every folder of src/."""
import os
import re
import unittest

SOURCE = os.environ["LOADLINE_SOURCE"]


def read(path):
    with open(path) as file:
        return file.read()


def rooms():
    """Room -> set of rooms it may include, as CMakeLists.txt declares them."""
    text = read(os.path.join(SOURCE, "CMakeLists.txt"))
    result = {}
    for name, rest in re.findall(r"loadline_room\((\w+)([^)]*)\)", text):
        uses = re.search(r"USES\s+(.*?)(?:LIBRARIES|$)", rest, re.S)
        result[name] = {name} | set(uses.group(1).split() if uses else [])
    return result


def source_files():
    for folder, _, names in os.walk(os.path.join(SOURCE, "src")):
        for name in names:
            if name.endswith((".h", ".cpp")):
                yield os.path.join(folder, name)


class Architecture(unittest.TestCase):
    def test_includes_follow_the_map(self):
        allowed = rooms()
        self.assertIn("core", allowed)
        wrong = []
        for path in source_files():
            room = os.path.relpath(path, os.path.join(SOURCE, "src")).split(os.sep)[0]
            if room == "main.cpp":
                continue
            for included in re.findall(r'#include "(\w+)/', read(path)):
                if included not in allowed[room]:
                    wrong.append(f"{path} includes {included}/")
        self.assertEqual(wrong, [])

    def test_the_map_names_every_folder(self):
        page = read(os.path.join(SOURCE, "docs", "architecture.md"))
        folders = [d for d in os.listdir(os.path.join(SOURCE, "src")) if os.path.isdir(os.path.join(SOURCE, "src", d))]
        self.assertGreater(len(folders), 10)
        self.assertEqual([d for d in folders if f"src/{d}/" not in page], [])

    def test_only_net_makes_network_system_calls(self):
        wrong = []
        for path in source_files():
            room = os.path.relpath(path, os.path.join(SOURCE, "src")).split(os.sep)[0]
            if room == "net" or path.endswith("_test.cpp") or path.endswith("_test.h"):
                continue
            if re.search(r"#include <(sys/socket|sys/epoll|netinet/\w+|arpa/inet|netdb)\.h>", read(path)):
                wrong.append(path)
        self.assertEqual(wrong, [])

    def test_no_room_is_a_drawer(self):
        names = [os.path.basename(p) for p in source_files()]
        self.assertEqual([n for n in names if re.search(r"util|manager|helper|misc", n)], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
