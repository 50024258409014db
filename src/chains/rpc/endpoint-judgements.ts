import {
  type EndpointAnswer,
  type CheckResult,
  ok,
  warning,
  wrong,
} from '#contexts/networks/domain/finding.js';

/** @param head the newest block with its time */
export function headJudgement(
  head: EndpointAnswer<{ readonly number: number; readonly time: Date }>,
  maxLagSeconds: number,
  now: Date,
): CheckResult {
  if ('refused' in head) {
    return wrong('head', `It does not return its newest block: ${head.refused}`, 'Repair the node.');
  }
  const age = Math.round((now.getTime() - head.answer.time.getTime()) / 1_000);
  const says = `Its newest block is ${head.answer.number}, ${age} seconds old.`;
  if (age <= maxLagSeconds) return ok('head', says);
  const todo = `Wait until the node is in sync. Beyond ${maxLagSeconds} seconds (max_lag_seconds), new requests are refused.`;
  return wrong('head', says, todo);
}

/** @param batch the answer to several calls in one message */
export function batchJudgement(batch: EndpointAnswer<true>): CheckResult {
  if ('answer' in batch) return ok('batches', 'It supports batch requests.');
  const says = `It does not support batch requests: ${batch.refused}`;
  return warning('batches', says, 'Reading takes more requests. Check its rate limit.');
}
