import { describe, expect, it } from '@jest/globals';
import { ReadingPace } from './reading-pace.js';

/** The blocks of a full iteration with this total number of transfers. */
function blocksOfIteration(pace: ReadingPace, transfers: number) {
  const rest = Array.from({ length: pace.blocksPerIteration('sandbox') - 1 }, () => ({ transfers: [] }));
  return [{ transfers: Array.from({ length: transfers }) }, ...rest];
}

function paceAfterSteps(pace: ReadingPace, steps: readonly ('few' | 'many' | 'head' | 'failed')[]): number[] {
  return steps.map((step) => {
    if (step === 'failed') pace.slowDown('sandbox');
    else
      pace.speedUp(
        'sandbox',
        step === 'head' ? [{ transfers: [] }] : blocksOfIteration(pace, step === 'few' ? 2_499 : 2_500),
      );
    return pace.blocksPerIteration('sandbox');
  });
}

describe('The pace of reading', () => {
  it('halves after each failure, down to one block, and doubles up to the usual pace', () => {
    const pace = new ReadingPace(50, 200);

    expect(paceAfterSteps(pace, ['failed', 'failed', 'many', 'few', 'many'])).toEqual([25, 12, 24, 48, 50]);
    expect(paceAfterSteps(new ReadingPace(2, 4), ['failed', 'failed'])).toEqual([1, 1]);
  });

  it('grows beyond the usual pace while there are few transfers, and shrinks to it when there are many', () => {
    const pace = new ReadingPace(50, 200);

    expect(paceAfterSteps(pace, ['few', 'few', 'few', 'many', 'many', 'many'])).toEqual([
      100, 200, 200, 100, 50, 50,
    ]);
  });

  it('does not grow by the single block that is new at the head', () => {
    const pace = new ReadingPace(50, 200);

    expect(paceAfterSteps(pace, ['head', 'few', 'head', 'head'])).toEqual([50, 100, 50, 50]);
  });
});
