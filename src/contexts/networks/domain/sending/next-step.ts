import { type Fees, isAtCeiling, mostGasOf } from './fees.js';
import { meaningOfRefusal } from './broadcast-response.js';
import { type AccountState, refusalOfAccount } from './gas-key.js';
import type { Sending } from './sending.js';

export interface SendingFacts {
  readonly sending: Sending;
  /** Fees of the newest attempt; null before there is one. */
  readonly offered: Fees | null;
  /** True where the newest attempt uses the nonce up in place of the call. */
  readonly cancels: boolean;
  /** The most gas that the newest block could hold; null while no endpoint answers. */
  readonly blockGas: bigint | null;
  /** True where the process that asks can sign for it. */
  readonly isHeld: boolean;
  /** Null while no endpoint answers. */
  readonly account: AccountState | null;
}

export type Situation =
  | 'key_missing'
  | 'nodes_silent'
  | 'no_plain_account'
  | 'nonce_used'
  | 'earlier_nonce'
  | 'funds_missing'
  | 'not_as_ordered'
  | 'above_block'
  | 'refused'
  | 'being_cancelled'
  | 'at_ceiling'
  | 'in_a_block'
  | 'in_a_pool';

export interface NextStep {
  readonly situation: Situation;
  /** A sentence on what happens by itself, and on what an operator may do. */
  readonly says: string;
}

/** Why a sending is not final yet, and what comes next; docs/operating/runbook.md has the same table. */
export function nextStepOf({ sending, offered, cancels, blockGas, isHeld, account }: SendingFacts): NextStep {
  const { id, nonce, network, sender, key, state, call, feeCeiling, response } = sending;
  const cancel = `sender cancel ${network} ${id}`;
  const refusedSignature = state === 'reserved' ? response : null;
  if (state === 'reserved' && !isHeld && refusedSignature === null)
    return step('key_missing', `Start the process that holds the key ${key}: it signs and goes on.`);
  if (account === null)
    return step('nodes_silent', `No endpoint of ${network} answers; it goes on with the first that does.`);
  const refused = refusalOfAccount(sender, account);
  if (refused !== null)
    return step('no_plain_account', `${refused.message} Take the delegation back, or use another key.`);
  if (state === 'mined')
    return step(
      'in_a_block',
      'Nothing to do while every endpoint shows it: it is final as soon as its block is. Where `response` names one that is ' +
        'silent or shows something else, find out which is wrong, and take that one out of rpc_urls.',
    );
  if (account.latestCount > nonce)
    return step(
      'nonce_used',
      `Nonce ${nonce} is used. Which transaction did it is looked for in final blocks; where that lasts, add an endpoint ` +
        'that keeps the state of older blocks to rpc_urls.',
    );
  if (account.latestCount < nonce)
    return step(
      'earlier_nonce',
      `Nonce ${account.latestCount} has to be mined first. Where it is in this list, its next step says how; else send any ` +
        'transaction with it from this key.',
    );
  if (refusedSignature !== null)
    return step(
      'not_as_ordered',
      `It is not signed, and what is behind it waits: ${refusedSignature} Find out why; else free the nonce: ${cancel}`,
    );
  if (!cancels && blockGas !== null && call.gasLimit > mostGasOf(blockGas))
    return step(
      'above_block',
      `It may use ${call.gasLimit} gas, and no node takes more than ${mostGasOf(blockGas)}: it is never mined, and what is ` +
        `behind it waits. Free the nonce: ${cancel}`,
    );
  // What a cancelling attempt may cost is small beside every call.
  const worst = cancels ? 0n : call.value + call.gasLimit * (offered?.maxFee ?? 0n);
  if (account.balance < worst || (response !== null && meaningOfRefusal(response) === 'insufficient_funds'))
    return step('funds_missing', `Send native coin to ${sender}: it holds ${account.balance} wei.`);
  if (!isHeld)
    return step('key_missing', `Its bytes are repeated; only a process with the key ${key} offers more.`);
  if (offered !== null && isAtCeiling(offered, feeCeiling))
    return step(
      'at_ceiling',
      'It waits for cheaper blocks: more than the ceiling is never offered. fees.ceiling_gwei is for later calls. To let what ' +
        `is behind it go on: ${cancel} --fee-ceiling <gwei>`,
    );
  if (cancels)
    return step(
      'being_cancelled',
      'Nothing to do: its cancellation is offered more for until a block has it.',
    );
  if (state === 'signed' && response !== null)
    return step(
      'refused',
      `No endpoint takes it: see the response. Where that lasts, free the nonce: ${cancel}`,
    );
  return step(
    'in_a_pool',
    'Nothing to do: more is offered once blocks pass without it and ask for more than it offers.',
  );
}

function step(situation: Situation, says: string): NextStep {
  return { situation, says };
}
