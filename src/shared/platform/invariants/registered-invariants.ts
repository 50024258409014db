import { SetMetadata } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { Invariant } from '../../kernel/invariant.js';

const INVARIANTS = 'invariants of a module';

/** Registers invariants of stored data. */
export const RegisterInvariants = (invariants: readonly Invariant[]) => SetMetadata(INVARIANTS, invariants);

export function registeredInvariants(modules: ModulesContainer): Invariant[] {
  // A module class that is imported with different settings appears several times.
  const classes = new Set([...modules.values()].map(({ metatype }) => metatype));
  return [...classes].flatMap(
    (each) => (Reflect.getMetadata(INVARIANTS, each) as readonly Invariant[] | undefined) ?? [],
  );
}
