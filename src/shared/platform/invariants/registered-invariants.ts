import { SetMetadata } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { Invariant } from '../../kernel/invariant.js';

const INVARIANTS = 'invariants of a module';

/** Registers invariants of stored data. Applied to the class of the module that owns the data. */
export const Invariants = (invariants: readonly Invariant[]) => SetMetadata(INVARIANTS, invariants);

/** Returns the invariants of all modules, in module order. */
export function registeredInvariants(modules: ModulesContainer): Invariant[] {
  // A module class that is imported with different settings appears several times.
  const classes = new Set([...modules.values()].map(({ metatype }) => metatype));
  return [...classes].flatMap(
    (each) => (Reflect.getMetadata(INVARIANTS, each) as readonly Invariant[] | undefined) ?? [],
  );
}
