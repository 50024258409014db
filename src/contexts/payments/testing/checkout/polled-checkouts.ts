import { CheckoutUrls } from '../../application/requests/checkout-urls.js';
import type { CheckoutView } from '../../application/requests/payment-request-view.js';
import { SignaturePayments } from '../../application/requests/signature-payments.js';
import { TokenToShow } from '../../application/requests/payment-tokens.js';
import { PriceOptions } from '../../application/requests/price-options.js';
import { QuoteAssets } from '#contexts/rates/application/quote-assets.js';
import { CheckoutPresenter } from '../../infrastructure/requests/http/checkout-presenter.js';
import type { PublicCheckoutDto } from '../../infrastructure/requests/http/checkout.dto.js';
import { LiveCheckouts, type CheckoutAnswer } from '../../infrastructure/checkout/polling/live-checkouts.js';
import { TokenModel } from '../authorizations/token-model.js';
import { openCheckouts } from './open-checkouts.js';

export type Polls = Awaited<ReturnType<typeof openPolls>>;

export const isLook = (text: string) => text.includes('pg_current_snapshot');
export const isReading = (text: string) => text.includes('c.session_id = $1');

/** Checkouts that are polled in one process, whose real time stands still until it is moved on. */
export async function openPolls() {
  const shop = await openCheckouts();
  const { database } = shop;
  const priceOptions = new PriceOptions(new QuoteAssets(shop.rates, shop.catalogue));
  const urls = new CheckoutUrls('https://api.example', 'https://pay.example');
  const presenter = new CheckoutPresenter(
    shop.catalogue,
    priceOptions,
    urls,
    new TokenToShow(shop.tokens, shop.urls),
    new SignaturePayments(shop.catalogue, new TokenModel(0n)),
  );
  const live = new LiveCheckouts(database, shop.queries, presenter);
  const realNow = performance.now;
  let now = realNow.call(performance);
  // A moment later at each look, since the order of reads is decided by it.
  performance.now = () => (now += 0.001);

  const looks = () => database.statements.filter(isLook).length;
  const recall = ({ sessionId }: CheckoutView) => live.recall(sessionId);
  async function until(isDone: () => boolean, withinMs = 60_000): Promise<void> {
    const end = realNow.call(performance) + withinMs;
    while (!isDone()) {
      if (realNow.call(performance) > end) throw new Error(`Not within ${withinMs} ms.`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  return {
    shop,
    live,
    recall,
    until,
    looks,
    read: ({ sessionId }: CheckoutView) => live.read(sessionId),
    /** Statements so far that read a session. */
    readings: () => database.statements.filter(isReading).length,

    /** Moves time on between two looks: a look that began before would date its answer from then. */
    async skip(milliseconds: number): Promise<void> {
      await live['looking']?.catch(() => undefined);
      now += milliseconds;
    },

    async looked(times = 2): Promise<void> {
      const before = looks();
      await until(() => looks() >= before + times);
    },

    forgotten: (session: CheckoutView) => until(() => recall(session) === undefined),

    /** Keeps the answer to the next such statement back until it is let go. */
    holding(isMeant: (text: string) => boolean) {
      let letGo!: () => void;
      let arrive!: () => void;
      const gone = new Promise<void>((resolve) => (letGo = resolve));
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      database.afterStatement = (text) => {
        if (!isMeant(text)) return undefined;
        database.afterStatement = () => undefined;
        arrive();
        return gone;
      };
      return { arrived, letGo };
    },

    async close(): Promise<void> {
      performance.now = realNow;
      database.beforeStatement = () => undefined;
      database.afterStatement = () => undefined;
      await live.beforeApplicationShutdown();
      await shop.close();
    },
  };
}

export function bodyOf(answer: CheckoutAnswer | undefined): PublicCheckoutDto {
  return (JSON.parse(String(answer!.body)) as { data: PublicCheckoutDto }).data;
}
