// CUDA graphs by stream capture. A stream that captures writes down what it is given: no operation happens, and each one knows
// which come before it. Launching the graph gives the same tasks again: those of the stream in which the capture began to the
// stream of the launch, those of the streams that joined it to streams of the graph's own.
#include "host.h"

namespace cudahost {

struct Graph {
  std::deque<Operation> nodes;  // kept when the program destroys the graph: an executable one still needs them
  Stream* origin = nullptr;     // where the capture began
  Site site = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  bool capturing = true, invalid = false, alive = true;
  bool launched = false;        // it or a clone of it
  Graph* cloned_from = nullptr;
};

namespace {

std::deque<Graph> graphs;

struct Executable {
  Graph* graph = nullptr;
  std::map<const Stream*, Stream*> lanes;  // a stream that joined the capture → one of this executable graph
  Operation* last = nullptr;               // of its last launch
  bool alive = true;
};
std::deque<Executable> executables;

template <class Handle, class Thing>
Thing* living(Handle handle, std::deque<Thing>& all) {
  for (Thing& known : all)
    if (reinterpret_cast<Handle>(&known) == handle && known.alive) return &known;
  return nullptr;
}

Graph* graph_of(cudaGraph_t handle) {
  Graph* graph = living(handle, graphs);
  return graph && !graph->capturing ? graph : nullptr;
}

void all_before(Operation* node, std::unordered_set<Operation*>& found) {
  if (!node || !found.insert(node).second) return;
  for (Operation* earlier : node->after) all_before(earlier, found);
}

// A stream that joined has to lead back to the one where the capture began.
bool joined(Graph& graph) {
  std::unordered_set<Operation*> reached;
  all_before(graph.origin->captured_last, reached);
  for (Stream& stream : streams())
    if (stream.capture == &graph && stream.captured_last && !reached.count(stream.captured_last)) return false;
  return true;
}

void end(Graph& graph) {
  graph.capturing = false;
  for (Stream& stream : streams())
    if (stream.capture == &graph) {
      stream.capture = nullptr;
      stream.captured_last = nullptr;
    }
}

// Events order what is captured and are no nodes of a program's graph.
bool is_node(const Operation& operation) { return bool(operation.work); }

void launch(Executable& executable, Stream& stream, Site site) {
  Graph& graph = *executable.graph;
  for (Graph* one = &graph; one; one = one->cloned_from) one->launched = true;
  add_dependency(issue(stream, {"cudaGraphLaunch", site}), executable.last);
  std::unordered_map<const Operation*, Operation*> made;
  for (const Operation& node : graph.nodes) {
    Stream* lane = &stream;
    if (node.stream != graph.origin) {
      Stream*& own = executable.lanes[node.stream];
      if (!own) own = new_stream(false);
      lane = own;
    }
    Operation& now = issue(*lane, node);
    for (const Operation* earlier : node.after) add_dependency(now, made[earlier]);
    made[&node] = &now;
  }
  executable.last = stream.operations.back();
}

cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t handle) {
  Graph* graph = graph_of(handle);
  if (!graph || !executable) return cudaErrorInvalidValue;
  executables.push_back({graph});
  *executable = reinterpret_cast<cudaGraphExec_t>(&executables.back());
  return cudaSuccess;
}

}  // namespace

Operation& capture(Stream& stream, Task task) {
  Graph& graph = *stream.capture;
  Operation& node = graph.nodes.emplace_back(std::move(task));
  node.stream = &stream;
  node.graph = &graph;
  if (stream.captured_last) node.after.push_back(stream.captured_last);
  stream.captured_last = &node;
  return node;
}

cudaError_t invalidate(Graph& graph, cudaError_t error) {
  if (graph.capturing) graph.invalid = true;
  return error;
}

cudaError_t admit(Stream& stream) {
  if (stream.capture) return stream.capture->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  if (&stream != &streams().front()) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  for (Stream& other : streams())
    if (other.capture && other.blocking) error = invalidate(*other.capture, cudaErrorStreamCaptureImplicit);
  return error;
}

cudaError_t unsafe_call() {
  cudaError_t error = cudaSuccess;
  for (Graph& graph : graphs)
    if (graph.capturing && graph.mode != cudaStreamCaptureModeRelaxed) error = invalidate(graph, cudaErrorStreamCaptureUnsupported);
  return error;
}

cudaError_t synchronizing_call(Stream* stream) {
  if (stream && stream->capture) return invalidate(*stream->capture, cudaErrorStreamCaptureUnsupported);
  if (stream) return admit(*stream);
  cudaError_t error = cudaSuccess;
  for (Graph& graph : graphs)
    if (graph.capturing) error = invalidate(graph, cudaErrorStreamCaptureUnsupported);
  return error;
}

// A captured event lets a stream join the capture; all that crosses the border of a capture is an error.
cudaError_t wait_in_capture(Stream& stream, Operation& event) {
  if (!event.graph) return invalidate(*stream.capture, cudaErrorStreamCaptureIsolation);
  if (!event.graph->capturing) return stream.capture ? invalidate(*stream.capture, cudaErrorCapturedEvent) : cudaErrorCapturedEvent;
  if (event.graph->invalid) return cudaErrorStreamCaptureInvalidated;
  if (stream.capture && stream.capture != event.graph) {
    invalidate(*event.graph, cudaErrorStreamCaptureMerge);
    return invalidate(*stream.capture, cudaErrorStreamCaptureMerge);
  }
  if (&stream == &streams().front()) return invalidate(*event.graph, cudaErrorStreamCaptureImplicit);
  stream.capture = event.graph;
  return cudaSuccess;
}

void note_graphs_never_launched() {
  for (const Graph& graph : graphs)
    if (!graph.launched && !graph.invalid && !graph.cloned_from && !graph.nodes.empty()) note("graph-never-launched", graph.site);
}

}  // namespace cudahost

using namespace cudahost;

#define FAIL_IF(error, what)                                                  \
  do {                                                                        \
    if (cudaError_t it = (error)) return fail(it, CUDAHOST_SITE, what);       \
  } while (0)

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  Stream* stream = stream_of(handle);
  FAIL_IF(!stream ? cudaErrorInvalidResourceHandle : cudaSuccess, "cudaStreamBeginCapture");
  FAIL_IF(stream == &streams().front() ? cudaErrorStreamCaptureUnsupported : cudaSuccess, "cudaStreamBeginCapture");
  FAIL_IF(stream->capture ? cudaErrorIllegalState : cudaSuccess, "cudaStreamBeginCapture");
  Graph& graph = graphs.emplace_back();
  graph.origin = stream;
  graph.site = CUDAHOST_SITE;
  graph.mode = mode;
  stream->capture = &graph;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* result) {
  Stream* stream = stream_of(handle);
  FAIL_IF(!stream ? cudaErrorInvalidResourceHandle : !result ? cudaErrorInvalidValue : cudaSuccess, "cudaStreamEndCapture");
  *result = nullptr;
  FAIL_IF(!stream->capture ? cudaErrorIllegalState : cudaSuccess, "cudaStreamEndCapture");
  Graph& graph = *stream->capture;
  if (graph.origin != stream) FAIL_IF(invalidate(graph, cudaErrorStreamCaptureUnmatched), "cudaStreamEndCapture");
  bool whole = joined(graph);
  end(graph);
  if (!whole && !graph.invalid) {
    graph.invalid = true;
    FAIL_IF(cudaErrorStreamCaptureUnjoined, "cudaStreamEndCapture");
  }
  FAIL_IF(graph.invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess, "cudaStreamEndCapture");
  *result = reinterpret_cast<cudaGraph_t>(&graph);
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  Stream* stream = stream_of(handle);
  FAIL_IF(!stream ? cudaErrorInvalidResourceHandle : !status ? cudaErrorInvalidValue : cudaSuccess, "cudaStreamIsCapturing");
  if (stream == &streams().front())
    for (Stream& other : streams()) FAIL_IF(other.capture && other.blocking ? cudaErrorStreamCaptureImplicit : cudaSuccess, "cudaStreamIsCapturing");
  *status = !stream->capture           ? cudaStreamCaptureStatusNone
            : stream->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                       : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  if (flags) not_covered(CUDAHOST_SITE, "cudaGraphInstantiate with flags");
  FAIL_IF(instantiate(executable, graph), "cudaGraphInstantiate");
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log, size_t log_bytes) {
  if (error_node) *error_node = nullptr;
  if (log && log_bytes) *log = 0;
  FAIL_IF(instantiate(executable, graph), "cudaGraphInstantiate");
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  if (flags) not_covered(CUDAHOST_SITE, "cudaGraphInstantiateWithFlags with flags");
  FAIL_IF(instantiate(executable, graph), "cudaGraphInstantiateWithFlags");
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  Stream* stream = stream_of(stream_handle);
  FAIL_IF(!living(handle, executables) ? cudaErrorInvalidValue : !stream ? cudaErrorInvalidResourceHandle : cudaSuccess, "cudaGraphUpload");
  FAIL_IF(admit(*stream), "cudaGraphUpload");
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  Site site = CUDAHOST_SITE;
  Executable* executable = living(handle, executables);
  Stream* stream = stream_of(stream_handle);
  FAIL_IF(!executable ? cudaErrorInvalidValue : !stream ? cudaErrorInvalidResourceHandle : cudaSuccess, "cudaGraphLaunch");
  FAIL_IF(admit(*stream), "cudaGraphLaunch");
  if (stream->capture) not_covered(site, "cudaGraphLaunch in a stream that captures (a child graph)");
  launch(*executable, *stream, site);
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t handle) {
  Graph* graph = graph_of(handle);
  FAIL_IF(!graph || !clone ? cudaErrorInvalidValue : cudaSuccess, "cudaGraphClone");
  Graph& copy = graphs.emplace_back();
  std::unordered_map<Operation*, Operation*> made;
  for (Operation& node : graph->nodes) {
    Operation& same = copy.nodes.emplace_back(node);
    same.graph = &copy;
    for (Operation*& earlier : same.after) earlier = made[earlier];
    made[&node] = &same;
  }
  copy.origin = graph->origin;
  copy.site = CUDAHOST_SITE;
  copy.capturing = false;
  copy.cloned_from = graph;
  *clone = reinterpret_cast<cudaGraph_t>(&copy);
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  Graph* graph = graph_of(handle);
  FAIL_IF(!graph || !count ? cudaErrorInvalidValue : cudaSuccess, "cudaGraphGetNodes");
  size_t room = nodes ? *count : 0, found = 0;
  for (Operation& node : graph->nodes)
    if (is_node(node) && ++found <= room) nodes[found - 1] = reinterpret_cast<cudaGraphNode_t>(&node);
  for (size_t i = found; i < room; ++i) nodes[i] = nullptr;
  *count = nodes ? std::min(found, room) : found;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  Executable* executable = living(handle, executables);
  FAIL_IF(executable ? cudaSuccess : cudaErrorInvalidValue, "cudaGraphExecDestroy");
  executable->alive = false;
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  Graph* graph = graph_of(handle);
  FAIL_IF(graph ? cudaSuccess : cudaErrorInvalidValue, "cudaGraphDestroy");
  graph->alive = false;
  return cudaSuccess;
}
