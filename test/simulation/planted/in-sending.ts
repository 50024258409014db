import type { PlantedBug } from './planted-bug.js';

const DOMAIN = 'contexts/networks/domain/sending';

/** The sender: what its transactions came to, and what they cost. */
export const bugsInSending: readonly PlantedBug[] = [
  {
    name: 'an endpoint that is silent agrees',
    file: `${DOMAIN}/fate-on-chain.ts`,
    from: 'const isAgreed = supporters(most) === views.length;',
    to: 'const isAgreed = supporters(most) === answered.length;',
    shows: 'lying node',
    breaks: 'A refund is completed or fails by the word of one node while the other is away.',
  },
  {
    name: 'one endpoint says alone that a transaction is final',
    file: `${DOMAIN}/fate-on-chain.ts`,
    from: 'if (isAgreed && answered.every(({ finalNumber })',
    to: 'if (isAgreed && answered.some(({ finalNumber })',
    shows: 'lying node',
    breaks: 'A refund is completed before its block is final.',
  },
  {
    name: 'two receipts are one though one of them failed',
    file: `${DOMAIN}/fate-on-chain.ts`,
    from: '    one.succeeded === other.succeeded &&\n',
    to: '',
    shows: 'lying node',
    breaks: 'A refund fails that was paid, or is completed though it was reverted.',
  },
  {
    name: 'gas is paid for at the price that was offered',
    file: 'contexts/networks/infrastructure/evm/sending/attempt-receipts.ts',
    from: "return gasUsed * price + amountOrNone(receipt, 'l1Fee')",
    to: "return gasUsed * maxFee + amountOrNone(receipt, 'l1Fee')",
    shows: 'always',
    breaks: 'A refund is booked with more gas than it cost, and its float is topped up by the difference.',
  },
  {
    name: 'more is offered for what was to be cancelled',
    file: 'contexts/networks/application/sending/advance-sending.ts',
    from: '{ cancels: last?.cancels ?? false, head }',
    to: '{ cancels: false, head }',
    shows: 'always',
    breaks: 'A transfer that the operator cancelled while fees rose is executed.',
  },
  {
    name: 'the nonce of a revoked order stays reserved',
    file: 'contexts/networks/application/sending/prove-use.ts',
    from: '      if (error instanceof OrderRevoked) return true;\n',
    to: '',
    shows: 'race',
    breaks: 'Refunds wait for ever behind a withdrawal to a former settlement address.',
  },
  {
    name: 'a failure that nobody waits for yet ends the process',
    file: 'contexts/networks/application/sending/show-senders.ts',
    from: '    return {\n      network,\n      address,\n      account,\n',
    to: '    const views = unfinished.map(viewOf);\n    return {\n      network,\n      address,\n      account,\n      ...(views.length < 0 && views),\n',
    shows: 'lost connection',
    breaks: 'A worker dies because one statement of its look at senders failed.',
  },
];
