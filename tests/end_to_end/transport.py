"""`loadline run` over TLS, HTTP/2 and proxies: nghttpx, another's work, stands before `loadline engine`."""
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import unittest

from program import LOADLINE, free_port, loadline, new_folder, read_json

NGHTTPX = shutil.which("nghttpx") or shutil.which("nghttpx", path="/usr/sbin:/usr/local/sbin")
OPENSSL = shutil.which("openssl")
USERS, REQUESTS = 4, 12


def wait_until_open(port, process):
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            raise AssertionError(f"{process.args[0]} ended with {process.returncode}")
        time.sleep(0.05)
    raise AssertionError(f"{process.args[0]} does not listen")


class Proxy:
    """An HTTP proxy for one name, `engine.example`, which it finds on this machine."""

    def __init__(self, ports):
        self.ports = ports  # by the port that the client asks for
        self.heads = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept_all, daemon=True).start()

    def accept_all(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve_and_close, args=(client,), daemon=True).start()

    def serve_and_close(self, client):
        with client:
            self.serve(client)

    def serve(self, client):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            byte = client.recv(1)
            if not byte:
                return
            head += byte
        self.heads.append(head.decode())
        method, target, version = head.split(b"\r\n")[0].split(b" ")
        if method == b"CONNECT":
            host, port = target.decode().rsplit(":", 1)
        else:
            authority, path = target.decode().removeprefix("http://").split("/", 1)
            host, port = authority.rsplit(":", 1)
        if host != "engine.example":
            client.sendall(b"HTTP/1.1 403 Forbidden\r\n\r\n")
            return
        with socket.create_connection(("127.0.0.1", self.ports[int(port)])) as server:
            if method == b"CONNECT":
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:  # one request a connection is all that this proxy can
                lines = [line for line in head.split(b"\r\n") if not line.lower().startswith((b"proxy-", b"connection:"))]
                lines[0] = b" ".join((method, b"/" + path.encode(), version))
                lines.insert(1, b"Connection: close")
                server.sendall(b"\r\n".join(lines))
            back = threading.Thread(target=self.carry, args=(server, client), daemon=True)
            back.start()
            self.carry(client, server)
            back.join()

    @staticmethod
    def carry(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        self.listener.close()


class Transport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = new_folder()
        cls.processes = []
        folder = cls.temporary.name
        cls.certificate, cls.key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
        subprocess.run([OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                        "-keyout", cls.key, "-out", cls.certificate, "-subj", "/CN=engine.example", "-addext",
                        "subjectAltName=DNS:engine.example,DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
        cls.engine = free_port()
        cls.start(cls.engine, LOADLINE, "engine", "--port", str(cls.engine))
        tls = [cls.key, cls.certificate]
        cls.both = cls.front("", tls)
        cls.only_http2 = cls.front("", ["--npn-list=h2", *tls])
        cls.demanding = cls.front("", ["--verify-client", f"--verify-client-cacert={cls.certificate}", *tls])
        cls.cleartext = cls.front(";no-tls", [])

    @classmethod
    def front(cls, how, arguments):
        port = free_port()
        cls.start(port, NGHTTPX, "--conf=/dev/null", "--workers=1", "--no-ocsp", f"--frontend=127.0.0.1,{port}{how}",
                  f"--backend=127.0.0.1,{cls.engine}", *arguments)
        return port

    @classmethod
    def start(cls, port, *command):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.processes.append(process)
        wait_until_open(port, process)

    @classmethod
    def tearDownClass(cls):
        for process in cls.processes:
            process.terminate()
        for process in cls.processes:
            process.wait(30)
        cls.temporary.cleanup()

    def run_at(self, url, *arguments, environment=None):
        """The report's facts of the network, of a run in which every request was answered, each connection used again."""
        folder = os.path.join(self.temporary.name, self.id())
        process = loadline("run", "--url", url, "--trace", "builtin:worked-example", "--scale-lengths", "0.05", "--concurrency",
                           str(USERS), "--num-prompts", str(REQUESTS), "--warmup-requests", "0", "--quiet", "--output-dir",
                           folder, *arguments, environment=environment or {})
        self.assertIn(process.returncode, (0, 1), process.stderr)
        report = read_json(os.path.join(folder, "report.json"))
        books = report["levels"][0]["requests"]
        self.assertGreaterEqual(books["ok"], REQUESTS, books)
        self.assertEqual(books["failed"], {})
        return report["facts"].get("network", {})

    def refusal(self, url, *arguments):
        process = loadline("run", "--url", url, "--check", *arguments)
        self.assertEqual(process.returncode, 3, process.stderr)
        return process.stderr

    def test_http_1_where_the_server_has_it(self):
        self.assertEqual(self.run_at(f"https://localhost:{self.both}", "--ca-file", self.certificate), {})

    def test_http_2_where_it_is_asked_for(self):
        network = self.run_at(f"https://localhost:{self.both}", "--ca-file", self.certificate, "--http2")
        self.assertEqual(network, {"protocol": "HTTP/2"})

    def test_http_2_where_the_server_has_nothing_else(self):
        network = self.run_at(f"https://localhost:{self.only_http2}", "--ca-file", self.certificate)
        self.assertEqual(network, {"protocol": "HTTP/2"})

    def test_http_2_without_tls(self):
        self.assertEqual(self.run_at(f"http://127.0.0.1:{self.cleartext}", "--http2"), {"protocol": "HTTP/2"})

    def test_a_server_that_cannot_speak_it(self):
        self.assertIn("the answer is not HTTP/2", self.refusal(f"http://127.0.0.1:{self.engine}", "--http2"))

    def test_a_certificate_that_nobody_vouches_for(self):
        self.assertIn("not trusted", self.refusal(f"https://localhost:{self.both}"))
        self.assertEqual(self.run_at(f"https://localhost:{self.both}", "--insecure"), {})

    def test_a_server_that_asks_who_we_are(self):
        url = f"https://localhost:{self.demanding}"
        self.assertIn("--client-cert", self.refusal(url, "--ca-file", self.certificate))
        self.run_at(url, "--ca-file", self.certificate, "--client-cert", self.certificate, "--client-key", self.key)

    def through(self, variable, url, ports, *arguments):
        proxy = Proxy(ports)
        self.addCleanup(proxy.close)
        network = self.run_at(url, *arguments, environment={variable: f"http://user:hunter22@127.0.0.1:{proxy.port}"})
        self.assertEqual(network["proxy"], f"127.0.0.1:{proxy.port}")
        for head in proxy.heads:
            self.assertIn("\r\nProxy-Authorization: Basic dXNlcjpodW50ZXIyMg==\r\n", head)
        folder = os.path.join(self.temporary.name, self.id())
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                content = file.read()
            self.assertNotIn(b"hunter22", content, name)
            self.assertNotIn(b"dXNlcjpodW50ZXIyMg", content, name)
        return proxy.heads

    def test_a_proxy_that_reads_the_requests(self):
        heads = self.through("http_proxy", "http://engine.example:8000", {8000: self.engine})
        self.assertTrue(all(head.split()[1].startswith("http://engine.example:8000/") for head in heads))

    def test_a_proxy_that_carries_tls(self):
        for arguments in ((), ("--http2",)):
            with self.subTest(arguments):
                heads = self.through("https_proxy", "https://engine.example:8443", {8443: self.both}, "--ca-file",
                                     self.certificate, *arguments)
                self.assertTrue(all(head.startswith("CONNECT engine.example:8443 ") for head in heads))
                shutil.rmtree(os.path.join(self.temporary.name, self.id()))

    def test_this_machine_is_never_asked_through_a_proxy(self):
        network = self.run_at(f"http://127.0.0.1:{self.engine}", environment={"http_proxy": "http://127.0.0.1:9"})
        self.assertEqual(network, {})


if __name__ == "__main__":
    for name, found in (("nghttpx", NGHTTPX), ("openssl", OPENSSL)):
        if found is None:
            print(f"skipped: {name} is not installed (Debian: nghttp2-proxy, openssl)")
            sys.exit(77)
    unittest.main(verbosity=2)
