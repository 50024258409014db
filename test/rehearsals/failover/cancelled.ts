import type { Rehearsal } from '../rehearsal.js';
export async function cancelled(_: Rehearsal): Promise<void> {}
