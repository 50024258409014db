import { formatAmount } from '#shared/kernel/amount.js';
import { chainName } from '../bitcoin/bitcoin-network.js';
import type { SandboxAsset } from '../folder/sandbox-folder.js';
import type { PaymentPlan } from './payment-plan.js';

export interface SendingOptions {
  readonly fromContract: boolean;
  /** A time of the chain's clock. Absent: immediately. */
  readonly sendAt?: Date | undefined;
}

/** In smallest units. */
export function totalOf({ transfers }: Pick<PaymentPlan, 'transfers'>): bigint {
  return transfers.reduce((sum, part) => sum + part, 0n);
}

export function describePlan(plan: PaymentPlan, { fromContract, sendAt }: SendingOptions): string[] {
  const { asset, network, address, merchant, expiresAt } = plan;
  return [
    `Paying ${formatAssetAmount(totalOf(plan), asset)}, ${comparison(plan)}${transferPhrase(plan, fromContract)}`,
    `  to        ${merchant}`,
    `  address   ${address}`,
    `  network   ${network.network} (${chainName(network)})`,
    `  expires   ${expiresAt.toISOString()}`,
    ...(sendAt === undefined
      ? []
      : [`  sends     ${sendAt.toISOString()}, ${expiryPhrase(sendAt, expiresAt)}`]),
    ...(asset === plan.asked.asset ? [] : [`  note      ${wrongAssetNote(plan)}`]),
  ];
}

export function formatAssetAmount(units: bigint, { decimals, symbol }: SandboxAsset): string {
  return `${formatAmount(units, decimals)} ${symbol}`;
}

function comparison(plan: PaymentPlan): string {
  const { asset, asked } = plan;
  const total = totalOf(plan);
  if (asset !== asked.asset)
    return `which is not what is asked: that is ${formatAssetAmount(asked.amount, asked.asset)}`;
  if (total === asked.amount) return 'exactly what is asked';
  return `${total < asked.amount ? 'less' : 'more'} than the ${formatAssetAmount(asked.amount, asked.asset)} asked`;
}

function transferPhrase({ transfers }: PaymentPlan, fromContract: boolean): string {
  if (transfers.length === 1) return fromContract ? ', by a contract call' : '';
  return `, in ${transfers.length} transfers${fromContract ? ' of one contract call' : ''}`;
}

function wrongAssetNote({ asset, asked }: PaymentPlan): string {
  return `${asset.symbol} does not pay a request for ${asked.asset.symbol}; it becomes a deposit once that has ended`;
}

function expiryPhrase(sendAt: Date, expiresAt: Date): string {
  const seconds = Math.round((sendAt.getTime() - expiresAt.getTime()) / 1_000);
  return seconds > 0 ? `${seconds} s after it expires` : `${-seconds} s before it expires`;
}
