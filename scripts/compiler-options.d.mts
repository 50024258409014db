import type { Options } from '@swc/core';

export function compilerOptions(parser: { readonly tsx: boolean }): Options;
