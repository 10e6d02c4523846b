// A whole cluster inside another process: for development, tests and small sites.
export * from './config.ts';
export * from './standalone.ts';
