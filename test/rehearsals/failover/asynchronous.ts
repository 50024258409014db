import type { Rehearsal } from '../rehearsal.js';
export async function asynchronous(_: Rehearsal): Promise<void> {}
