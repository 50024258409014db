import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import { usualConfirmations } from '../../contract/finality-depth.js';
import { classifyBroadcastError } from '../../domain/outbound/broadcast-response.js';
import { isFinishedOutboundState, type OutboundState } from '../../domain/outbound/outbound-transaction.js';
import { OutboundWarnings } from './outbound-warnings.js';
import { ChainTypes } from '../../application/chain-types.js';
import {
  AdvanceOutboundTransactions,
  type OutboundTransactionProgress,
} from '../../application/outbound/advance-outbound-transactions.js';
import { type SenderView, ShowSenders } from '../../application/outbound/show-senders.js';
import { OutboundTransactions } from '../../application/outbound/outbound-transactions.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { NETWORKS_LOG_EVENTS } from '../log-events.js';

/** Minimum pause between two cycles, because some chains produce several blocks per second. */
const MIN_PAUSE_MS = 1_000;
/** A mined transaction only waits for finality, so it is checked about this often until then. */
const CHECKS_UNTIL_FINAL = 20;
const MAX_PAUSE_UNTIL_FINAL_MS = 60_000;

const EVENTS_BY_STATE: Partial<
  Record<OutboundState, 'outbound.nonce_used' | 'outbound.cancelled' | 'outbound.reverted'>
> = {
  foreign: 'outbound.nonce_used',
  cancelled: 'outbound.cancelled',
  reverted: 'outbound.reverted',
};

/** Only the process that holds the network's lease advances its outbound transactions. */
@Injectable()
export class OutboundWorkers extends BackgroundWork {
  private readonly log = new OperatorLogWriter('sending', NETWORKS_LOG_EVENTS);
  private readonly byNetwork: ReadonlyMap<string, LeasedLoop>;
  private readonly warnings = new OutboundWarnings();
  private readonly minedDueAt = new Map<string, number>();
  private readonly observers = new Set<(network: string, views: readonly SenderView[]) => void>();

  constructor(
    chainTypes: ChainTypes,
    leases: Leases,
    private readonly sendings: OutboundTransactions,
    private readonly advanceNetworkSendings: AdvanceOutboundTransactions,
    private readonly senders: ShowSenders,
    private readonly clock: Clock,
  ) {
    const byNetwork = new Map(
      chainTypes.outboundNetworks().map(({ network, blockSeconds, finality }) => {
        const untilFinalMs = usualConfirmations(finality) * blockSeconds * 1_000;
        const pauseMs = Math.min(MAX_PAUSE_UNTIL_FINAL_MS, untilFinalMs / CHECKS_UNTIL_FINAL);
        const options = {
          name: `sending ${network}`,
          idleMs: Math.max(MIN_PAUSE_MS, blockSeconds * 1_000),
          whileHeldElsewhere: () => this.notify(network, []),
        };
        return [network, new LeasedLoop(options, leases, () => this.carryOn(network, pauseMs))];
      }),
    );
    super([...byNetwork.values()]);
    this.byNetwork = byNetwork;
  }

  override onApplicationBootstrap(): void {
    this.sendings.onReserved((network) => this.byNetwork.get(network)?.wake());
    super.onApplicationBootstrap();
  }

  /**
   * The observer gets the state of a network's keys, and an empty list when another process takes over the network.
   */
  onSeen(observer: (network: string, views: readonly SenderView[]) => void): void {
    this.observers.add(observer);
  }

  private notify(network: string, views: readonly SenderView[]): void {
    for (const observer of this.observers) observer(network, views);
  }

  /** The lease only avoids duplicate queries to nodes; each step by its own locking prevents sending twice. */
  runCycle(network: string): Promise<boolean> {
    return this.byNetwork.get(network)!.runIteration();
  }

  private async carryOn(network: string, pauseUntilFinalMs: number): Promise<boolean> {
    const now = performance.now();
    const isMinedDue = now >= (this.minedDueAt.get(network) ?? now);
    if (isMinedDue) this.minedDueAt.set(network, now + pauseUntilFinalMs);
    const advanced = await this.advanceNetworkSendings.advance(network, isMinedDue);
    for (const each of advanced) this.report(each);
    await this.warn(network, advanced);
    return false;
  }

  private report({ before, after, error }: OutboundTransactionProgress): void {
    const { id, network, sender, nonce } = before;
    const about = { transaction_id: id, network, sender, nonce };
    if (after === null) {
      const reason = String(error);
      const event = error instanceof DomainError ? 'outbound.not_signed' : 'outbound.step_failed';
      this.log.writeOnce(id, reason, event, { ...about, reason });
      return;
    }
    const { state, attempts, response } = after;
    const event = EVENTS_BY_STATE[state] ?? 'outbound.progressed';
    const line = { ...about, state, attempts, response };
    this.log.writeOnce(id, `${state} ${attempts} ${response ?? ''}`, event, line);
    if (isFinishedOutboundState(state)) this.log.forgetLoggedState(id);
  }

  private async warn(network: string, advanced: readonly OutboundTransactionProgress[]): Promise<void> {
    const waiting = advanced.length === 0 ? [] : await this.waiting(advanced);
    const now = performance.now();
    const [isLookDue, areBalancesDue] = [
      this.warnings.isBalanceReadDue(network, now),
      this.warnings.isBalanceLogDue(network, now),
    ];
    if (waiting.length === 0 && !isLookDue && !areBalancesDue) return;
    const views = await this.senders.show([network]);
    this.notify(network, views);
    if (areBalancesDue) views.forEach((view) => this.showBalance(view));
    if (areBalancesDue && views.some(({ account }) => account instanceof ChainUnavailable))
      this.warnings.retryBalanceLogSoon(network, performance.now());
    const unfinished = views.flatMap((view) => view.unfinished);
    for (const { id, age } of waiting) {
      const view = unfinished.find((each) => each.id === id);
      if (view === undefined) continue;
      const { sender, nonce, purpose, state, response, nextStep } = view;
      this.log.write('outbound.waiting', {
        ...{ transaction_id: id, network, sender, nonce, purpose, state, age_seconds: age },
        ...{ situation: nextStep.situation, next_step: nextStep.says, response },
      });
    }
  }

  private async waiting(
    advanced: readonly OutboundTransactionProgress[],
  ): Promise<{ id: string; age: number }[]> {
    const now = (await this.clock.now()).getTime();
    return advanced.flatMap(({ before, after, advance }) => {
      const { id, state, createdAt, response } = after ?? before;
      if (isFinishedOutboundState(state)) {
        this.warnings.forget(id);
        return [];
      }
      const age = Math.floor((now - createdAt.getTime()) / 1_000);
      const lacksFunds = response !== null && classifyBroadcastError(response) === 'insufficient_funds';
      const isUrgent = advance === 'key_missing' || (state === 'signed' && lacksFunds);
      const what = [state, advance === 'key_missing', lacksFunds].join(' ');
      return this.warnings.isDue(id, what, age, isUrgent) ? [{ id, age }] : [];
    });
  }

  private showBalance({ network, address, account, isLow }: SenderView): void {
    if (account instanceof ChainUnavailable) return;
    const balance = account.balance.toString();
    this.log.write(isLow === true ? 'sender.balance_low' : 'sender.balance', { network, address, balance });
  }
}
