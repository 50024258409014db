import type { INestApplicationContext } from '@nestjs/common';
import { KeyEnvironment } from '#contexts/identity/domain/credentials/key-id.js';
import { stateConflict } from '#shared/kernel/domain-error.js';

/** For what the operator may do to play money alone. @param instead what to do, as a sentence. @throws state_conflict */
export function demandDevelopment(context: INestApplicationContext, instead: string): void {
  if (context.get(KeyEnvironment, { strict: false }).name !== 'development') throw stateConflict(instead);
}
