// The device table. Facts, per device: memory as the maker labels it (GB) and as the device reports it
// (bytes), peak memory bandwidth (GB/s, 1 GB = 1e9 bytes), dense peaks without sparsity and with 32-bit
// accumulation where the part tells them apart (TFLOPS: bf16, fp8, fp4, int8), scale-up link one way to all
// peers together (GB/s). Each row names where its figures come from and which no document confirmed.

#include "bound/hardware_table.h"

#include <array>

namespace loadline {
namespace {

constexpr double unknown = hardware_unknown;

constexpr std::array<HardwareRow, 55> hardware_rows = {{
    {"A100-SXM-40GB", "NVIDIA", 40, unknown, 1555, 312, unknown, unknown, 624, 300,
     "sysrqmts.com A100 SXM4 40 GB page (1,555 GB/s); TFLOPS as A100 SXM in stas00/ml-engineering "
     "accelerator and network tables at 744d01e1",
     ""},
    {"A100-SXM-80GB", "NVIDIA", 80, 85899345920.0, 2039, 312, unknown, unknown, 624, 300,
     "ai-dynamo/aiconfigurator systems/a100_sxm.yaml at 095f58a5; stas00/ml-engineering accelerator "
     "and network tables at 744d01e1",
     ""},
    {"A100-PCIe-80GB", "NVIDIA", 80, unknown, 1935, 312, unknown, unknown, 624, 32,
     "ai-dynamo/aiconfigurator systems/a100_pcie.yaml at 095f58a5", ""},
    {"H100-SXM", "NVIDIA", 80, 85899345920.0, 3350, 989, 1979, unknown, 1979, 450,
     "ai-dynamo/aiconfigurator systems/h100_sxm.yaml at 095f58a5; stas00/ml-engineering accelerator "
     "and network tables at 744d01e1; archive-lib.hpctech.co.jp (sparse figures, halved)",
     ""},
    {"H100-PCIe", "NVIDIA", 80, unknown, 2000, 756, 1513, unknown, 1513, 64,
     "ai-dynamo/aiconfigurator systems/h100_pcie.yaml at 095f58a5; stas00/ml-engineering accelerator "
     "and network tables at 744d01e1",
     ""},
    {"H100-NVL", "NVIDIA", 94, unknown, 3900, 835, 1671, unknown, 1671, 300,
     "stas00/ml-engineering accelerator and network tables at 744d01e1 (94 GB and 3.9 TB/s per card)",
     "tflops, link_gb_s"},
    {"H200", "NVIDIA", 141, 151397597184.0, 4800, 989, 1979, unknown, 1979, 450,
     "ai-dynamo/aiconfigurator systems/h200_sxm.yaml at 095f58a5; stas00/ml-engineering accelerator "
     "and network tables at 744d01e1",
     ""},
    {"B200", "NVIDIA", 180, 193273528320.0, 8000, 2250, 4500, 9000, 4500, 900,
     "stas00/ml-engineering accelerator and network tables at 744d01e1; ai-dynamo/aiconfigurator "
     "systems/b200_sxm.yaml at 095f58a5",
     ""},
    {"B300", "NVIDIA", 288, 288400343040.0, 8000, 2250, 4500, 14000, 153.5, 900,
     "stas00/ml-engineering accelerator and network tables at 744d01e1; ai-dynamo/aiconfigurator "
     "systems/b300_sxm.yaml at 095f58a5",
     "tflops.fp4, tflops.int8"},
    {"GB200", "NVIDIA", 186, 198674743296.0, 8000, 2500, 5000, 10000, 5000, 900,
     "ai-dynamo/aiconfigurator systems/gb200.yaml at 095f58a5; stas00/ml-engineering accelerator and "
     "network tables at 744d01e1",
     ""},
    {"GB300", "NVIDIA", 288, 298013687808.0, 8000, 2500, 5000, 15000, 165, 900,
     "ai-dynamo/aiconfigurator systems/gb300.yaml at 095f58a5; stas00/ml-engineering accelerator and "
     "network tables at 744d01e1",
     "tflops.int8"},
    {"L4", "NVIDIA", 24, 25769803776.0, 300, 121, 242, unknown, 242, 32,
     "ai-dynamo/aiconfigurator systems/l4.yaml at 095f58a5", ""},
    {"L40S", "NVIDIA", 48, 48305799168.0, 864, 362, 733, unknown, 733, 32,
     "ai-dynamo/aiconfigurator systems/l40s.yaml at 095f58a5; stas00/ml-engineering accelerator and "
     "network tables at 744d01e1",
     ""},
    {"A10", "NVIDIA", 24, unknown, 600, 125, unknown, unknown, 250, 32,
     "sysrqmts.com A10 page (600.2 GB/s); tensor figures from the maker's sheet, not checked", "tflops, link_gb_s"},
    {"A30", "NVIDIA", 24, unknown, 933, 165, unknown, unknown, 330, 32,
     "ai-dynamo/aiconfigurator systems/a30.yaml at 095f58a5", ""},
    {"T4", "NVIDIA", 16, unknown, 320, 65, unknown, unknown, 130, 16,
     "hmc-tech.com T4 page (65.13 FP16 tensor, 130.25 INT8); sysrqmts.com (320 GB/s)", "link_gb_s"},
    {"H20", "NVIDIA", 96, unknown, 4000, 148, 296, unknown, 296, 450,
     "maker's data sheet as commonly quoted, not checked", "memory_gb, bandwidth_gb_s, tflops, link_gb_s"},
    {"L20", "NVIDIA", 48, unknown, 864, 119.5, 239, unknown, 239, unknown,
     "maker's data sheet as commonly quoted, not checked", "memory_gb, bandwidth_gb_s, tflops, link_gb_s"},
    {"L40", "NVIDIA", 48, unknown, 864, 181.05, 362, unknown, 362, unknown,
     "maker's data sheet as commonly quoted, not checked", "memory_gb, bandwidth_gb_s, tflops, link_gb_s"},
    {"RTX-A6000", "NVIDIA", 48, unknown, 768, 154.8, unknown, unknown, 309.7, unknown,
     "maker's data sheet as commonly quoted, not checked", "memory_gb, bandwidth_gb_s, tflops, link_gb_s"},
    {"GH200-96GB", "NVIDIA", 96, unknown, 4000, 989, 1979, unknown, 1979, 450,
     "maker's data sheet as commonly quoted, not checked", "memory_gb, bandwidth_gb_s, tflops, link_gb_s"},
    {"GH200-144GB", "NVIDIA", 144, unknown, 4900, 989, 1979, unknown, 1979, 450,
     "maker's data sheet as commonly quoted, not checked", "memory_gb, bandwidth_gb_s, tflops, link_gb_s"},
    {"V100-SXM2-32GB", "NVIDIA", 32, unknown, 900, unknown, unknown, unknown, unknown, 150,
     "maker's data sheet as commonly quoted, not checked; FP16 125 TFLOPS, no BF16",
     "memory_gb, bandwidth_gb_s, tflops, link_gb_s"},
    {"RTX-3090", "NVIDIA", 24, unknown, 936, 71, unknown, unknown, 284, 32,
     "holynerdvana.blogspot.com 2022-11 (936 GB/s; FP16 142 with FP16 accumulate); halved for FP32 "
     "accumulate",
     "tflops.bf16, tflops.int8, link_gb_s"},
    {"RTX-4090", "NVIDIA", 24, unknown, 1008, 165.2, 330.3, unknown, 660.6, 32,
     "hmc-tech.com RTX 4090 page (FP16 with FP32 accumulate 165.2, FP8-32 330.3); waredb.com", "link_gb_s"},
    {"RTX-5090", "NVIDIA", 32, unknown, 1792, 209.5, 419, 1676, 838, 64,
     "pocketmags.com 2025-05 and spheron.network (1,792 GB/s; sparse FP16 838, FP4 3,352): dense, "
     "FP32 accumulate = a quarter of the sparse FP16-accumulate figure",
     "tflops.bf16, tflops.fp8, tflops.int8, link_gb_s"},
    {"RTX-PRO-6000", "NVIDIA", 96, 102641958912.0, 1792, 467.8, 935.6, 1871, 935.6, 64,
     "ai-dynamo/aiconfigurator systems/rtx_pro_6000_server.yaml at 095f58a5", ""},
    {"MI250X", "AMD", 128, unknown, 3277, 383, unknown, unknown, 383, 350,
     "stas00/ml-engineering accelerator and network tables at 744d01e1", ""},
    {"MI300X", "AMD", 192, unknown, 5300, 1307.4, 2614.9, unknown, 2614.9, 448,
     "alpharomercoma/MI300X-vs-H200 REPORT.md; stas00/ml-engineering accelerator and network tables "
     "at 744d01e1; docs.vultr.com (5.3 TB/s)",
     ""},
    {"MI325X", "AMD", 256, unknown, 6000, 1307.4, 2614.9, unknown, 2614.9, 448,
     "stas00/ml-engineering accelerator and network tables at 744d01e1; docs.vultr.com (6.0 TB/s, "
     "1,307 FP16)",
     ""},
    {"MI350X", "AMD", 288, unknown, 8000, 2300, 4600, 9200, 4600, 535.5,
     "stas00/ml-engineering accelerator and network tables at 744d01e1", "tflops"},
    {"MI355X", "AMD", 288, unknown, 8000, 2500, 5000, 10100, 5000, 535.5,
     "stas00/ml-engineering accelerator and network tables at 744d01e1; MLPerf v6.0 AMD system sheet "
     "(288 GB)",
     ""},
    {"Gaudi2", "Intel", 96, unknown, 2450, 432, 865, unknown, unknown, 262.5,
     "stas00/ml-engineering accelerator and network tables at 744d01e1 (2.45 and 2.46 TB/s both seen; "
     "262.5 = 21 x 100 GbE inside a node)",
     ""},
    {"Gaudi3", "Intel", 128, unknown, 3700, 1677, 1677, unknown, unknown, 525,
     "stas00/ml-engineering accelerator and network tables at 744d01e1", "link_gb_s"},
    {"Arc-Pro-B60", "Intel", 24, unknown, 456, 98.3, unknown, unknown, 197, 14,
     "ai-dynamo/aiconfigurator systems/b60.yaml at 095f58a5", "link_gb_s"},
    {"TPU-v5e", "Google", 16, unknown, 819, 197, unknown, unknown, 393, 200,
     "docs.cloud.google.com/tpu/docs/v5e (16 GB, 819 GB/s, 197, 393 INT8, 400 GB/s both ways)", ""},
    {"TPU-v5p", "Google", 102, unknown, 2765, 459, 459, unknown, 918, 600,
     "docs.cloud.google.com/tpu/docs/v5p (95 GiB, 2765 GB/s, 1200 GB/s both ways); INT8 from "
     "stas00/ml-engineering accelerator and network tables at 744d01e1",
     ""},
    {"TPU-v6e", "Google", 32, unknown, 1638, 918, 918, unknown, 1836, 400,
     "docs.cloud.google.com/tpu/docs/v6e (32 GB, 1638 GB/s, 918, 1836 INT8, 800 GB/s both ways)", ""},
    {"TPU-v7x", "Google", 206, unknown, 7380, 2307, 4614, unknown, unknown, 600,
     "docs.cloud.google.com/tpu/docs/tpu7x (192 GiB, 2307, 4614)", "bandwidth_gb_s, link_gb_s"},
    {"Trainium2", "AWS", 103, unknown, 2900, 667, 1299, unknown, unknown, 640,
     "awsdocs-neuron trainium2.rst v2.29 (1,299 FP8, 667 BF16, 96 GiB, 2.9 TB/s; another page of the "
     "same docs says 3 TB/s); link halved from 1.28 TB/s by stas00/ml-engineering accelerator and "
     "network tables at 744d01e1",
     ""},
    {"Trainium3", "AWS", 155, unknown, 4900, 671, 2517, 2517, unknown, 1280,
     "awsdocs-neuron trainium3.rst v2.29.1 (144 GiB, 4.9 TB/s, 2,517 MXFP8/MXFP4, 671 BF16; 2.56 TB/s "
     "halved); another page says 4.7 TB/s",
     ""},
    {"M2-Ultra", "Apple", 192, unknown, 800, unknown, unknown, unknown, unknown, unknown,
     "gamebastion.com and wccftech text (800 GB/s, 192 GB); Ars table prints 819.2", "tflops"},
    {"M3-Ultra", "Apple", 512, unknown, 819, unknown, unknown, unknown, unknown, unknown,
     "resourcefulman.net 2025-03 and an Ars table (819 GB/s, 512 GB)", "tflops"},
    {"M4-Max", "Apple", 128, unknown, 546, unknown, unknown, unknown, unknown, unknown,
     "gamebastion.com (546 GB/s, 128 GB)", "tflops"},
    {"M4-Pro", "Apple", 64, unknown, 273, unknown, unknown, unknown, unknown, unknown,
     "gamebastion.com (273 GB/s, 64 GB)", "tflops"},
    {"CPU-2ch-DDR4-3200", "CPU", 64, unknown, 51.2, unknown, unknown, unknown, unknown, unknown,
     "channels x MT/s x 8 bytes", ""},
    {"CPU-2ch-DDR5-4800", "CPU", 64, unknown, 76.8, unknown, unknown, unknown, unknown, unknown,
     "channels x MT/s x 8 bytes", ""},
    {"CPU-2ch-DDR5-5600", "CPU", 128, unknown, 89.6, unknown, unknown, unknown, unknown, unknown,
     "channels x MT/s x 8 bytes", ""},
    {"CPU-8ch-DDR4-3200", "CPU", 1024, unknown, 204.8, unknown, unknown, unknown, unknown, unknown,
     "channels x MT/s x 8 bytes", ""},
    {"CPU-8ch-DDR5-4800", "CPU", 1024, unknown, 307.2, unknown, unknown, unknown, unknown, unknown,
     "channels x MT/s x 8 bytes", ""},
    {"CPU-8ch-DDR5-5600", "CPU", 1024, unknown, 358.4, unknown, unknown, unknown, unknown, unknown,
     "channels x MT/s x 8 bytes", ""},
    {"CPU-12ch-DDR5-4800", "CPU", 1536, unknown, 460.8, unknown, unknown, unknown, unknown, unknown,
     "channels x MT/s x 8 bytes", ""},
    {"CPU-12ch-DDR5-6000", "CPU", 1536, unknown, 576.0, unknown, unknown, unknown, unknown, unknown,
     "channels x MT/s x 8 bytes", ""},
    {"CPU-12ch-DDR5-6400", "CPU", 1536, unknown, 614.4, unknown, unknown, unknown, unknown, unknown,
     "channels x MT/s x 8 bytes", ""},
    {"CPU-12ch-MRDIMM-8800", "CPU", 1536, unknown, 844.8, unknown, unknown, unknown, unknown, unknown,
     "channels x MT/s x 8 bytes", ""},
}};

}  // namespace

std::span<const HardwareRow> hardware_table() { return hardware_rows; }

}  // namespace loadline
