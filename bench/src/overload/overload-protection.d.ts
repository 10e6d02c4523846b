// Types of overload-protection, which brings none.
declare module 'overload-protection' {
  import type { RequestHandler } from 'express';

  export default function overloadProtection(framework: 'express'): RequestHandler;
}
