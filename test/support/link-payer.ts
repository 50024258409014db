import type { PublicCheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import type { OpenedPaymentLinkDto } from '#contexts/payments/infrastructure/links/http/payment-link.dto.js';

export interface LinkAnswer {
  httpStatus: number;
  code?: string;
  message?: string;
  setCookie: string[];
  session: PublicCheckoutDto;
}

/** A browser's tab: keeps the cookie that it is given, as every tab of the browser does that shares `jar`. */
export class LinkPayer {
  constructor(
    private readonly apiUrl: string,
    private readonly code: string,
    readonly jar: { cookie?: string } = {},
  ) {}

  read = () => this.ask('GET');
  open = (body?: object) => this.ask('POST', body);
  select = (uniqueAssetId: string) => this.ask('PUT', { unique_asset_id: uniqueAssetId });

  async ask(method: string, body?: object): Promise<LinkAnswer> {
    const response = await fetch(`${this.apiUrl}/public/payment-links/${this.code}/checkout`, {
      method,
      headers: {
        ...(this.jar.cookie === undefined ? {} : { cookie: this.jar.cookie }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as {
      data?: OpenedPaymentLinkDto;
      code?: string;
      message?: string;
    };
    const setCookie = response.headers.getSetCookie();
    if (setCookie[0] !== undefined) this.jar.cookie = setCookie[0].split(';')[0]!;
    const { code, message, data } = answer;
    // Refusals have none; what reads it then fails by itself.
    const session = data?.checkout_session as PublicCheckoutDto;
    return { httpStatus: response.status, code, message, setCookie, session };
  }
}
