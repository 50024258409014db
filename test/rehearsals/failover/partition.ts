import type { Rehearsal } from '../rehearsal.js';
export async function partition(_: Rehearsal): Promise<void> {}
