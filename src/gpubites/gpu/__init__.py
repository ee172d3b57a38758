"""Recording CUDA examples on a GPU: programs packed here, run there, checked when they come back."""
