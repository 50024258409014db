import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import type { Address } from 'viem';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import { CannotStart } from '../processes/child-process.js';
import type { TerminalOutput } from '../terminal/terminal-output.js';
import type { PaymentPlan } from './payment-plan.js';

export interface PayerSession {
  readonly session_id: string;
  readonly status: string;
  readonly expires_at: string;
  readonly hosted_checkout_url: string;
  readonly x402_url?: string;
  readonly selected?: {
    readonly signature_payment?: {
      readonly domain: {
        readonly name: string;
        readonly version: string;
        readonly chain_id: number;
        readonly verifying_contract: Address;
      };
      readonly to: Address;
      readonly value: string;
    };
  };
}

export interface Speaking {
  readonly output: TerminalOutput;
  say(line: string): void;
}

export async function readSession({ api_url }: SandboxFile, id: string): Promise<PayerSession> {
  const answer = await outgoingFetch(`${api_url}/public/checkout/${id}`);
  const { data } = (await answer.json()) as { data?: PayerSession };
  if (data === undefined) throw new CannotStart(`The checkout ${id} cannot be read (${answer.status}).`);
  return data;
}

export function notSigned({ asked }: PaymentPlan): CannotStart {
  return new CannotStart(
    `${asked.asset.symbol} cannot be paid by a signature here. Choose a token that supports EIP-3009 (--asset USDC).`,
  );
}
