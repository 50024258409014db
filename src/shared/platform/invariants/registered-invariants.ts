import { SetMetadata } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { Invariant } from '../../kernel/invariant.js';

const INVARIANTS = 'invariants of a module';

/** Registers the invariants of a module's data. Use on the module's class. */
export const Invariants = (invariants: readonly Invariant[]) => SetMetadata(INVARIANTS, invariants);

/** Returns the invariants of all modules, in module order. */
export function registeredInvariants(modules: ModulesContainer): Invariant[] {
  // A class imported with different settings appears as several modules.
  const classes = new Set([...modules.values()].map(({ metatype }) => metatype));
  return [...classes].flatMap(
    (each) => (Reflect.getMetadata(INVARIANTS, each) as readonly Invariant[] | undefined) ?? [],
  );
}
