import { DomainError } from '#shared/kernel/domain-error.js';
import type {
  BroadcastOutcome,
  GasFeeMarketAtHead,
  PricedSignedTransaction,
  SignedTransaction,
  UnsignedTransaction,
} from '../application/outbound/outbound-chain.js';
import { OutboundChain } from '../application/outbound/outbound-chain.js';
import type { OutboundAttempt, OutboundStateChange } from '../application/outbound/outbound-transactions.js';
import type { SenderKey } from '../application/outbound/sender-keys.js';
import type { EndpointNonceObservation, UnresponsiveEndpoint } from '../domain/outbound/on-chain-status.js';
import {
  isOutboundTransitionAllowed,
  type OutboundTransaction,
} from '../domain/outbound/outbound-transaction.js';

const BLOCK_MS = 3_000;
const SOLID_AFTER = 19;
const EXPIRES_AFTER_MS = 30_000;

export type BroadcastFault = 'none' | 'lost' | 'refused' | 'refused_but_kept';

/** A chain without nonces, seen by two endpoints. A block can include a transaction until its parent's time reaches its expiration. */
export class ExpiringChain extends OutboundChain {
  /** Hashes by block. */
  readonly blocks: string[][] = [[]];
  readonly endpoints = [
    { behind: 0, isDown: false },
    { behind: 0, isDown: false },
  ];
  broadcastFault: BroadcastFault = 'none';
  private readonly expirations = new Map<string, number>();
  private readonly pool = new Set<string>();
  private signed = 0;

  readonly key: SenderKey = {
    address: 'sender',
    sign: ({ validity }: UnsignedTransaction) => {
      const hash = `transaction ${(this.signed += 1)}`;
      this.expirations.set(hash, validity!.expiresAt.getTime());
      return Promise.resolve({ raw: '0x', hash });
    },
  };

  get head(): number {
    return this.blocks.length - 1;
  }

  /** @returns the stored attempts that a block includes or can still include. What is not stored was not broadcast. */
  live({ attemptsMade }: OutboundRow): string[] {
    const hashes = attemptsMade.map(({ hash }) => hash);
    return hashes.filter((hash) => this.isIncluded(hash) || this.canInclude(hash));
  }

  included(): string[] {
    return this.blocks.flat();
  }

  mine(includes: boolean): void {
    const chosen = includes ? [...this.pool].filter((hash) => this.canInclude(hash)) : [];
    this.blocks.push(chosen.filter((hash) => !this.isIncluded(hash)));
  }

  /** Replaces blocks that are solid at no endpoint. Their transactions return to the pool. */
  reorganize(depth: number): void {
    for (const hash of this.blocks
      .splice(Math.max(1, this.head - Math.min(depth, SOLID_AFTER - 1) + 1))
      .flat())
      this.pool.add(hash);
  }

  chainId = () => 1;
  feeLimits = () => ({ floor: 0n, ceiling: 10n });
  callableContracts = () => [];
  decode = () => Promise.resolve(null);
  senderAccountState = () =>
    Promise.resolve({ latestCount: null, mostCount: 0, balance: 1_000n, code: '0x' });
  blockGasLimit = () => Promise.resolve(1_000n);
  selfTransferGas = () => Promise.resolve(0n);
  dataFee = () => Promise.resolve(0n);
  nonceUse = () => Promise.resolve(null);

  gasFeeMarket(): Promise<GasFeeMarketAtHead> {
    const head = Math.min(...this.endpoints.map((_, i) => this.headOf(i)));
    const [signedAt, expiresAt] = [new Date(head * BLOCK_MS), new Date(head * BLOCK_MS + EXPIRES_AFTER_MS)];
    return Promise.resolve({
      baseFee: null,
      suggested: 1n,
      head,
      validity: { hash: '', signedAt, expiresAt },
    });
  }

  broadcast(_: string, { hash }: SignedTransaction): Promise<BroadcastOutcome> {
    const fault = this.broadcastFault;
    if (fault === 'none' || fault === 'refused_but_kept') this.pool.add(hash);
    const response = fault === 'none' || fault === 'lost' ? 'accepted' : 'refused';
    return Promise.resolve({ response, responses: response });
  }

  nonceObservations(
    _: string,
    { nonce }: Pick<OutboundTransaction, 'nonce'>,
    attempts: readonly PricedSignedTransaction[],
  ): Promise<(EndpointNonceObservation | UnresponsiveEndpoint)[]> {
    return Promise.resolve(
      this.endpoints.map(({ isDown }, i) => {
        const endpoint = `endpoint ${i}`;
        if (isDown) return { endpoint, silence: 'it is down' };
        const head = this.headOf(i);
        const finalNumber = Math.max(0, head - SOLID_AFTER);
        const at = (hash: string) => this.blocks.findIndex((each, n) => n <= head && each.includes(hash));
        const hash = attempts.map((each) => each.hash).find((each) => at(each) !== -1);
        const place = { blockHash: '', parentHash: '', succeeded: true, gasCost: 1n };
        const receipt = hash === undefined ? null : { hash, blockNumber: at(hash), ...place };
        const expiration = this.expirations.get(attempts.at(-1)!.hash)!;
        const expiry = receipt === null && finalNumber * BLOCK_MS >= expiration ? 'passed' : 'pending';
        return { endpoint, latestCount: nonce, head, finalNumber, receipt, expiry };
      }),
    );
  }

  private headOf(endpoint: number): number {
    return Math.max(0, this.head - this.endpoints[endpoint]!.behind);
  }

  private isIncluded(hash: string): boolean {
    return this.blocks.some((each) => each.includes(hash));
  }

  private canInclude(hash: string): boolean {
    return this.head * BLOCK_MS < this.expirations.get(hash)!;
  }
}

/** The rows of one outbound transaction, changed only under the conditions of the database. */
export class OutboundRow {
  state: OutboundTransaction;
  readonly attemptsMade: OutboundAttempt[] = [];

  constructor() {
    const call = { to: 'contract', data: '0x', value: 0n, gasLimit: 10n };
    const about = {
      network: 'n',
      sender: 'sender',
      key: 'gas',
      nonce: 0,
      feeCeiling: 10n,
      createdAt: new Date(0),
    };
    const begun = { state: 'reserved', attempts: 0, mined: null, response: null } as const;
    this.state = { id: 'id', purpose: 'settlement', call, ...about, ...begun };
  }

  find = () => Promise.resolve(this.state);
  attempts = () => Promise.resolve([...this.attemptsMade]);

  addAttempt(read: OutboundTransaction, attempt: Omit<OutboundAttempt, 'number' | 'at'>): Promise<boolean> {
    if (!this.isCurrent(read, 'signed')) return Promise.resolve(false);
    const number = this.state.attempts + 1;
    this.state = { ...this.state, state: 'signed', attempts: number, mined: null };
    this.attemptsMade.push({ ...attempt, number, at: new Date(0) });
    return Promise.resolve(true);
  }

  changeState(read: OutboundTransaction, { state, mined, response }: OutboundStateChange): Promise<boolean> {
    if (!this.isCurrent(read, state)) return Promise.resolve(false);
    const { mined: before, response: said } = this.state;
    this.state = {
      ...this.state,
      state,
      mined: mined === undefined ? before : mined,
      response: response ?? said,
    };
    return Promise.resolve(true);
  }

  private isCurrent(read: OutboundTransaction, to: OutboundTransaction['state']): boolean {
    if (!isOutboundTransitionAllowed(read.state, to))
      throw new DomainError('conflict', 'state_conflict', `${read.state} cannot become ${to}.`);
    return read.state === this.state.state && read.attempts === this.state.attempts;
  }
}
