import type { Rehearsal } from '../rehearsal.js';
export async function lag(_: Rehearsal): Promise<void> {}
