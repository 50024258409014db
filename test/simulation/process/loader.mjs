// Runs the simulator's TypeScript and the service's, with what the service does in threads counted.
import { registerHooks } from 'node:module';
import '../../support/typescript-loader.mjs';

const COUNTED = new URL('counted-argon2.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier !== '@node-rs/argon2' || context.parentURL === COUNTED)
      return nextResolve(specifier, context);
    return { url: COUNTED, format: 'module', shortCircuit: true };
  },
});
