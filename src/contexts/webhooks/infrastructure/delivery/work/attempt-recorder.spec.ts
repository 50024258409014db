import { describe, expect, it } from '@jest/globals';
import { AttemptRecorder } from './attempt-recorder.js';

describe('The recorder of attempts', () => {
  it('stores all attempts in batches before it stops', async () => {
    const batches: number[] = [];
    const queue = { recordAttempts: async ({ length }: readonly unknown[]) => void batches.push(length) };
    const recorder = new AttemptRecorder(queue as never);
    for (let n = 0; n < 600; n += 1) recorder.add({} as never);

    await recorder.stop();

    expect([batches, recorder.unrecorded]).toEqual([[250, 250, 100], 0]);
  });
});
