// Runs a coordinator and data nodes in one process on an in-process bus.
export {};
