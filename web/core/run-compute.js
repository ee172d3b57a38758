// Runs a compute lab on the device that WebGPU offers: buffers, passes, and the output read back. Nothing of it outlives the run.
import { fill } from "./compute.js";

/** One run may take so long. */
export const LIMIT_SECONDS = 10;

/** What the reader can do something about. `line` of the code, 0 where none is meant. */
export class ComputeProblem extends Error {
  /** @param {string} message @param {number} [line] */
  constructor(message, line = 0) {
    super(message);
    this.line = line;
  }
}

/**
 * The output's values, and the name of what computed them. Rejects with a `ComputeProblem`, or with the signal's reason.
 * @param {string} code WGSL @param {import("./compute.js").Plan} plan @param {AbortSignal} signal
 */
export const runCompute = async (code, plan, signal) => {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new ComputeProblem("This browser finds no GPU for WebGPU, so the recorded result stays.");
  const device = await adapter.requestDevice();
  const limit = setTimeout(() => end(), LIMIT_SECONDS * 1000);
  let over = false;
  const end = () => {
    over = true;
    device.destroy();
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    const lost = device.lost.then(() => {
      signal.throwIfAborted();
      throw new ComputeProblem(
        over ? `It had not ended after ${LIMIT_SECONDS} seconds, and was stopped.` : "The GPU gave up on this program.",
      );
    });
    // What fails because the device went is told as that.
    const values = await Promise.race([computed(device, code, plan).catch((problem) => (over ? lost : Promise.reject(problem))), lost]);
    const { vendor, architecture, description } = adapter.info;
    return { values, device: description || [vendor, architecture].filter(Boolean).join(" ") || "an unnamed GPU" };
  } finally {
    clearTimeout(limit);
    signal.removeEventListener("abort", end);
    device.destroy();
  }
};

/** @param {GPUDevice} device @param {string} code @param {import("./compute.js").Plan} plan */
const computed = async (device, code, plan) => {
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  const error = messages.find(({ type }) => type === "error");
  if (error) throw new ComputeProblem(error.message, error.lineNum);

  const layout = device.createBindGroupLayout({
    entries: plan.buffers.map(({ role }, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: role === "input" ? "read-only-storage" : "storage" },
    })),
  });
  const pipelines = await Promise.all(
    plan.passes.map(({ entry }) =>
      device.createComputePipelineAsync({
        layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
        compute: { module, entryPoint: entry },
      }),
    ),
  ).catch((problem) => {
    throw new ComputeProblem(firstLine(problem.message));
  });

  const buffers = plan.buffers.map((buffer, place) => {
    const made = device.createBuffer({
      size: buffer.count * 4,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
    device.queue.writeBuffer(made, 0, fill(buffer, place));
    return made;
  });
  const bound = device.createBindGroup({ layout, entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })) });
  const place = plan.buffers.findIndex(({ name }) => name === plan.check.output);
  const back = device.createBuffer({ size: buffers[place].size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });

  const encoder = device.createCommandEncoder();
  for (const [index, { workgroups }] of plan.passes.entries()) {
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipelines[index]);
    pass.setBindGroup(0, bound);
    pass.dispatchWorkgroups(...workgroups);
    pass.end();
  }
  encoder.copyBufferToBuffer(buffers[place], 0, back, 0, back.size);
  device.queue.submit([encoder.finish()]);
  const refused = await device.popErrorScope();
  if (refused) throw new ComputeProblem(firstLine(refused.message));
  await back.mapAsync(GPUMapMode.READ);
  return new (plan.buffers[place].type === "f32" ? Float32Array : Uint32Array)(back.getMappedRange().slice(0));
};

/** The rest of such a message names objects of ours. @param {string} message */
const firstLine = (message) => message.split("\n")[0];
