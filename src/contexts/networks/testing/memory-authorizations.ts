import {
  TransferAuthorizationRefused,
  type AuthorizedTransfers,
  type PlannedAuthorizedTransfer,
  type SignedTransferAuthorization,
  type TokenDomain,
  type TransferAuthorization,
} from '../contract/authorized-transfers.js';
import type { PlannedTransfer } from '../contract/transfer-planning.js';

type Call = PlannedTransfer['call'];

const GAS = 60_000n;

/** An in-memory token that accepts payments by signature. A signature is the signed content and the signer's name. */
export class MemoryAuthorizedTransfers implements AuthorizedTransfers {
  private readonly balances = new Map<string, bigint>();
  private readonly used = new Set<string>();

  constructor(
    private readonly token: string,
    /** Time of the newest block, in Unix seconds. */
    public now: bigint,
    private readonly domain: TokenDomain = {
      ...{ name: 'Memory Token', version: '1', chainId: 1, verifyingContract: token },
    },
  ) {}

  hold(account: string, units: bigint): void {
    this.balances.set(account, this.balanceOf(account) + units);
  }

  balanceOf(account: string): bigint {
    return this.balances.get(account) ?? 0n;
  }

  sign(authorization: TransferAuthorization): string {
    return hexOf(`signed ${textOf(authorization)}`);
  }

  execute(call: Pick<Call, 'data'>): void {
    const { from, to, value, nonce } = JSON.parse(textIn(call.data)) as Record<string, string>;
    this.hold(from!, -BigInt(value!));
    this.hold(to!, BigInt(value!));
    this.used.add(`${from} ${nonce}`);
  }

  eip712Domain(token: string): Promise<TokenDomain | null> {
    return Promise.resolve(token === this.token ? this.domain : null);
  }

  encode({ token, authorization, signature }: SignedTransferAuthorization) {
    return { to: token, data: hexOf(textOf(authorization, signature)), value: 0n };
  }

  isExecutedBy(signed: SignedTransferAuthorization, { gasLimit, ...call }: Call): boolean {
    const { to, data, value } = this.encode(signed);
    return gasLimit <= GAS && call.to === to && call.data === data && call.value === value;
  }

  decode({ to, data, value }: Omit<Call, 'gasLimit'>) {
    if (value !== 0n) return null;
    try {
      const {
        signature,
        from,
        to: recipient,
        nonce,
        ...times
      } = JSON.parse(textIn(data)) as Record<string, string>;
      const numbers = { value: BigInt(times.value!), validAfter: BigInt(times.validAfter!) };
      const rest = { validBefore: BigInt(times.validBefore!), nonce: nonce! };
      const authorization = { from: from!, to: recipient!, ...numbers, ...rest };
      const isWhole = hexOf(textOf(authorization, signature)) === data;
      return isWhole ? { token: to, authorization } : null;
    } catch {
      return null;
    }
  }

  plan(signed: SignedTransferAuthorization): Promise<PlannedAuthorizedTransfer> {
    const refusal = this.refusalOf(signed);
    if (refusal !== null) return Promise.reject(refusal);
    const balance = this.balanceOf(signed.authorization.from);
    return Promise.resolve({ call: { ...this.encode(signed), gasLimit: GAS }, gasCost: GAS, balance });
  }

  isUsed({ authorization: { from, nonce } }: SignedTransferAuthorization): Promise<boolean> {
    return Promise.resolve(this.used.has(`${from} ${nonce}`));
  }

  private refusalOf({
    token,
    authorization,
    signature,
  }: SignedTransferAuthorization): TransferAuthorizationRefused | null {
    const { from, value, validAfter, validBefore, nonce } = authorization;
    const refused = (reason: TransferAuthorizationRefused['reason']) =>
      new TransferAuthorizationRefused(reason, `Memory: ${reason}.`);
    if (token !== this.token || value <= 0n) return refused('token');
    if (signature !== this.sign(authorization)) return refused('signature');
    if (this.used.has(`${from} ${nonce}`)) return refused('used');
    if (validAfter >= this.now || validBefore <= this.now) return refused('time');
    return this.balanceOf(from) < value ? refused('balance') : null;
  }
}

function textOf(
  { from, to, value, validAfter, validBefore, nonce }: TransferAuthorization,
  signature?: string,
) {
  const numbers = { value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}` };
  return JSON.stringify({ from, to, ...numbers, nonce, signature });
}

function hexOf(text: string): string {
  return `0x${Buffer.from(text).toString('hex')}`;
}

function textIn(hex: string): string {
  return Buffer.from(hex.slice(2), 'hex').toString();
}
