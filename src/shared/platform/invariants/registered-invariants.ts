import { SetMetadata } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { Invariant } from '../../kernel/invariant.js';

const INVARIANTS = 'invariants of a module';

/** Registers the invariants of a module's data. Decorates the class of the module. */
export const Invariants = (invariants: readonly Invariant[]) => SetMetadata(INVARIANTS, invariants);

/** The invariants of all modules of a process, in the order of the modules. */
export function registeredInvariants(modules: ModulesContainer): Invariant[] {
  // A class stands for several modules where it was imported with several settings.
  const classes = new Set([...modules.values()].map(({ metatype }) => metatype));
  return [...classes].flatMap(
    (each) => (Reflect.getMetadata(INVARIANTS, each) as readonly Invariant[] | undefined) ?? [],
  );
}
