// Runs the simulator's TypeScript and the service's, with what the service does in threads counted.
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import '../../support/typescript-loader.mjs';

// Node loads the hook below in a thread of its own, from this same file.
if (isMainThread) register(import.meta.url);

const COUNTED = new URL('counted-argon2.ts', import.meta.url).href;

export function resolve(specifier, context, nextResolve) {
  if (specifier !== '@node-rs/argon2' || context.parentURL === COUNTED)
    return nextResolve(specifier, context);
  return { url: COUNTED, format: 'module', shortCircuit: true };
}
