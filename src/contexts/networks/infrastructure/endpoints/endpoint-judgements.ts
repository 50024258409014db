import { type Answer, type Judgement, ok, warning, wrong } from '../../domain/finding.js';

/** @param head the newest block with its time */
export function headJudgement(
  head: Answer<{ readonly number: number; readonly time: Date }>,
  maxLagSeconds: number,
  now: Date,
): Judgement {
  if ('refused' in head) {
    return wrong('head', `It does not tell its newest block: ${head.refused}`, 'Mend the node.');
  }
  const age = Math.round((now.getTime() - head.answer.time.getTime()) / 1_000);
  const says = `Its newest block is ${head.answer.number}, ${age} seconds old.`;
  if (age <= maxLagSeconds) return ok('head', says);
  const todo = `Wait until the node has caught up: past ${maxLagSeconds} seconds (max_lag_seconds) nothing new is taken.`;
  return wrong('head', says, todo);
}

/** @param batch the answer to several calls in one message */
export function batchJudgement(batch: Answer<true>): Judgement {
  if ('answer' in batch) return ok('batches', 'It answers several calls in one message.');
  const says = `It does not answer several calls in one message: ${batch.refused}`;
  return warning('batches', says, 'Reading through it takes more messages; mind its rate limit.');
}
