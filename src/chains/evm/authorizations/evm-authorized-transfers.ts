import { type Hex, recoverAddress } from 'viem';
import { isNative } from '#shared/kernel/asset.js';
import type { Clock } from '#shared/kernel/clock.js';
import type { SenderKeys } from '#contexts/networks/application/outbound/sender-keys.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import {
  TransferAuthorizationRefused,
  type AuthorizedTransfers,
  type PlannedAuthorizedTransfer,
  type SignedTransferAuthorization,
  type TokenDomain,
} from '#contexts/networks/contract/authorized-transfers.js';
import { GAS_KEY_NAME } from '#contexts/networks/contract/outbound-transaction-sender.js';
import type { PlannedTransfer } from '#contexts/networks/contract/transfer-planning.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { VerifiedEndpoints } from '../check/verified-endpoints.js';
import { nullIfReverted } from '../../ethereum-rpc/contract-calls.js';
import { readAmount } from '../../ethereum-rpc/hex-fields.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { isGasLimitExceeded, maxCostOfCall } from '../outbound/call-gas.js';
import type { RpcOutboundChain } from '../outbound/rpc-outbound-chain.js';
import type { RpcTransferSimulation } from '../outbound/rpc-transfer-simulation.js';
import type { AuthorizationQueries } from './authorization-queries.js';
import {
  authorizationCall,
  authorizationHash,
  signatureFormsFor,
  readAuthorizationCall,
} from './authorization-call.js';
import { authorizationRefusal, signatureRefusal } from './authorization-facts.js';
import { SIGNATURE_FORMS } from './signature-probe-calls.js';
import { type ParsedSignature, parseSignature } from './signature-forms.js';
import type { TokenSignatureProbe } from './token-signature-probe.js';

/**
 * Sender for simulations in a process without the gas key. The process with the gas key plans again before it sends.
 */
const PLACEHOLDER_SENDER = `0x${'11'.repeat(20)}`;

type Call = NonNullable<ReturnType<typeof authorizationCall>>;

/** Executes `transferWithAuthorization` of EIP-3009. */
export class EvmAuthorizedTransfers implements AuthorizedTransfers {
  constructor(
    private readonly network: string,
    private readonly endpoints: VerifiedEndpoints,
    private readonly rpc: JsonRpc,
    private readonly domains: TokenSignatureProbe,
    private readonly reads: AuthorizationQueries,
    private readonly simulation: RpcTransferSimulation,
    private readonly chain: RpcOutboundChain,
    private readonly keys: SenderKeys,
    private readonly clock: Clock,
  ) {}

  async eip712Domain(token: string): Promise<TokenDomain | null> {
    if (!this.isToken(token)) return null;
    const signatures = await this.domains.cachedSupport(this.network, canonicalAddress(token));
    return signatures.kind === 'taken' ? signatures.domain : null;
  }

  encode({ token, authorization, signature }: SignedTransferAuthorization): Call {
    const read = this.signatureIn(signature);
    const [form] = signatureFormsFor(read, false);
    return authorizationCall(token, authorization, read, form!)!;
  }

  isExecutedBy(signed: SignedTransferAuthorization, call: PlannedTransfer['call']): boolean {
    const { transferGas } = this.endpoints.configuration(this.network);
    if (call.value !== 0n || call.gasLimit > transferGas) return false;
    try {
      const read = this.signatureIn(signed.signature);
      return SIGNATURE_FORMS.some((form) => {
        const made = authorizationCall(signed.token, signed.authorization, read, form);
        return made?.to === call.to && made.data === call.data.toLowerCase();
      });
    } catch (error) {
      if (error instanceof TransferAuthorizationRefused) return false;
      throw error;
    }
  }

  decode(call: Omit<PlannedTransfer['call'], 'gasLimit'>) {
    return readAuthorizationCall(call);
  }

  async plan(signed: SignedTransferAuthorization): Promise<PlannedAuthorizedTransfer> {
    const { token, authorization, signature } = signed;
    const read = this.signatureIn(signature);
    if (!this.isToken(token)) throw refused('token', `${token} is not a token of ${this.network}.`);
    const signatures = await this.domains.cachedSupport(this.network, canonicalAddress(token));
    if (signatures.kind !== 'taken')
      throw refused('token', `${token} does not support payments by signature. ${signatures.says}`);
    const hash = authorizationHash(signatures.domain, authorization);
    const isSigners = (await signerOf(hash, read)) === canonicalAddress(authorization.from);
    const now = await this.clock.now();
    const { blockSeconds } = this.endpoints.configuration(this.network);
    const { call, balance } = await this.endpoints.first(this.network, async (endpoint) => {
      const { from } = authorization;
      const acceptance = await this.reads.signatureAcceptance(endpoint, from, { hash, bytes: read.bytes });
      throwRefusal(signatureRefusal(from, { ...read, ...acceptance, isSigners }));
      const facts = await this.reads.chainFacts(endpoint, signed);
      throwRefusal(authorizationRefusal(authorization, { ...facts, now, blockSeconds }));
      const forms = signatureFormsFor(read, acceptance.hasCode).filter((form) => signatures.forms.has(form));
      const calls = forms.map((form) => authorizationCall(token, authorization, read, form)!);
      return { call: await this.provenCall(endpoint, signed, calls), balance: facts.balance };
    });
    return { call, gasCost: await maxCostOfCall(this.chain, this.network, call), balance };
  }

  isUsed(signed: SignedTransferAuthorization): Promise<boolean> {
    return this.endpoints.first(this.network, (endpoint) => this.reads.isUsed(endpoint, signed));
  }

  private async provenCall(
    endpoint: Endpoint,
    { token, authorization: { to, value } }: SignedTransferAuthorization,
    calls: readonly Call[],
  ): Promise<PlannedTransfer['call']> {
    const { transferGas } = this.endpoints.configuration(this.network);
    const from = this.keys.has(GAS_KEY_NAME)
      ? this.keys.requireKey(this.network, GAS_KEY_NAME).address
      : PLACEHOLDER_SENDER;
    let why = 'the token does not accept this kind of signature.';
    for (const each of calls) {
      const estimated = await this.estimate(endpoint, from, each, transferGas);
      if (typeof estimated === 'string') {
        why = estimated;
        continue;
      }
      const call = { ...each, gasLimit: smaller((estimated * 5n) / 4n, transferGas) };
      const trial = { from, recipient: canonicalAddress(to), token: call.to, call };
      const arrived = await this.simulation.simulateReceivedAmount(endpoint, trial);
      if (arrived === value) return call;
      why = arrived === null ? 'the call fails.' : `it delivers only ${arrived} of ${value} units.`;
    }
    throw refused('token', `The transfer of ${token} failed in simulation: ${why} Nothing was sent.`);
  }

  private estimate(
    endpoint: Endpoint,
    from: string,
    { to, data }: Call,
    most: bigint,
  ): Promise<bigint | string> {
    return this.rpc.callOnce<bigint | string>(endpoint, {
      method: 'eth_estimateGas',
      params: [{ from, to, data, gas: `0x${most.toString(16)}` }],
      read: (answer) => readAmount(answer, 'the estimate'),
      refused: (refusal) =>
        isGasLimitExceeded(refusal)
          ? `it requires more than ${most} gas (transfer_gas).`
          : (nullIfReverted(refusal) ?? 'the call fails.'),
    });
  }

  private signatureIn(signature: string): ParsedSignature {
    return parseSignature(signature, this.endpoints.configuration(this.network).signatureFactories);
  }

  private isToken(token: string): boolean {
    const { assets } = this.endpoints.configuration(this.network);
    return assets.some((asset) => !isNative(asset) && asset.token === canonicalAddress(token));
  }
}

async function signerOf(hash: Hex, { account }: ParsedSignature): Promise<string | null> {
  if (account === null) return null;
  const { v, r, s } = account;
  try {
    return canonicalAddress(await recoverAddress({ hash, signature: { v: BigInt(v), r, s } }));
  } catch {
    return null;
  }
}

function throwRefusal(refusal: TransferAuthorizationRefused | null): void {
  if (refusal !== null) throw refusal;
}

function refused(reason: TransferAuthorizationRefused['reason'], says: string): TransferAuthorizationRefused {
  return new TransferAuthorizationRefused(reason, says);
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
