import type {
  CheckoutDto,
  PublicCheckoutDto,
} from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { parseAmount } from '#shared/kernel/amount.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { copyShop } from './copied-shop.js';
import { HostileHttp, type Received, type Sent } from './hostile/hostile-http.js';
import { eventually } from './eventually.js';
import { type TestService } from './service.js';

const JSON_TYPE = { 'content-type': 'application/json' };

export class CheckoutDesk {
  readonly http: HostileHttp;

  constructor(
    private readonly service: TestService,
    apiUrl = service.apiUrl,
  ) {
    this.http = new HostileHttp(apiUrl);
  }

  /** The checkout is of 10 US dollars unless the body says otherwise. */
  open(body: object = {}, posId = this.service.seed.posId): Promise<CheckoutDto> {
    const path = `/v1/pos/${posId}/payment-request-checkout`;
    return this.service.api.post<CheckoutDto>(path, { amount: '10', coin_code: 'USD', ...body });
  }

  shop(columns: object): Promise<string> {
    return copyShop(this.service, columns);
  }

  get(target: string, headers: Record<string, string> = {}, from?: string): Promise<Received> {
    return this.http.send({ method: 'GET', target, headers, ...place(from) });
  }

  poll(sessionId: string, headers: Record<string, string> = {}, from?: string): Promise<Received> {
    return this.get(`/public/checkout/${sessionId}`, headers, from);
  }

  select(sessionId: string, uniqueAssetId: string, from?: string): Promise<Received> {
    return this.http.send({
      method: 'POST',
      target: `/public/checkout/${sessionId}/select-asset`,
      headers: JSON_TYPE,
      body: JSON.stringify({ unique_asset_id: uniqueAssetId }),
      ...place(from),
    });
  }

  async read(sessionId: string, from?: string): Promise<PublicCheckoutDto> {
    return sessionIn(await this.poll(sessionId, {}, from));
  }

  /** Selects what can be paid by a signature; the domain of its token may be read only now. */
  async selectToSign(sessionId: string, uniqueAssetId: string): Promise<PublicCheckoutDto> {
    sessionIn(await this.select(sessionId, uniqueAssetId));
    return this.until(sessionId, ({ selected }) => selected?.signature_payment !== undefined);
  }

  until(sessionId: string, isDone: (session: PublicCheckoutDto) => boolean, from?: string) {
    return eventually(() => this.read(sessionId, from), isDone);
  }

  /** @param amount in whole units of the selected asset */
  async pay({ selected }: PublicCheckoutDto, amount = selected!.amount): Promise<string> {
    const { decimals } = this.service.assets.find(
      ({ unique_asset_id: id }) => id === selected!.unique_asset_id,
    )!;
    const token = tokenOf(selected!.unique_asset_id);
    const units = BigInt(parseAmount(amount, decimals));
    const hash = await this.service.wallet.send(token, selected!.address as `0x${string}`, units);
    await this.service.wallet.mined(hash);
    return hash;
  }

  close(): void {
    this.http.close();
  }
}

/** @throws with the whole answer where it is no session */
export function sessionIn(answer: Received): PublicCheckoutDto {
  if (answer.json?.['status'] !== 'success') throw new Error(`${answer.status} ${answer.text}`);
  return answer.json['data'] as PublicCheckoutDto;
}

export function walletPath({ session_id: sessionId }: { session_id: string }, option?: string): string {
  const query = option === undefined ? '' : `?payment_option=${encodeURIComponent(option)}`;
  return `/public/checkout/${sessionId}/payment${query}`;
}

function place(from: string | undefined): Pick<Sent, 'from'> {
  return from === undefined ? {} : { from };
}
