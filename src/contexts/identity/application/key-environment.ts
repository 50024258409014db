import type { ServiceEnvironment } from '../domain/key-id.js';

/** The environment that this installation's credentials are for. */
export class KeyEnvironment {
  constructor(readonly name: ServiceEnvironment) {}
}
