import type { VNode } from 'preact';
import { withBranding } from '#shared/web/branding/page-branding.js';
import { DocumentShell, htmlDocument } from '#shared/web/document/document-shell.js';
import {
  COPY_SCRIPT,
  inlineAsset,
  SHARED_STYLES,
  type PageAssets,
} from '#shared/web/document/inline-asset.js';
import { plain } from '#shared/web/formatting/plain-text.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { NameBar } from '#shared/web/parts/name-bar.js';
import type { CheckoutPageModel } from '../../checkout/pages/checkout-page-model.js';
import { pageView, MESSAGES } from '../../checkout/pages/page-view.js';
import { OrderPart } from '../../checkout/pages/parts/order-part.js';
import { SummaryPart } from '../../checkout/pages/parts/summary-part.js';
import { WaysToPay } from '../../checkout/pages/parts/ways-to-pay.js';
import { AmountPad } from './amount-pad.js';
import { TILL_CODE_MESSAGES } from './till-code-messages.js';
import type { TillCodePageModel, TillCodeText } from './till-code-page-model.js';

export const TILL_CODE_ASSETS = {
  style: inlineAsset(
    ...SHARED_STYLES,
    ...['payment', 'ways', 'checkout'].map((name) => pageFile(`../../checkout/pages/${name}.browser.css`)),
    pageFile('./till-code.browser.css'),
  ),
  script: inlineAsset(pageFile('./till-code.browser.js'), pageFile('./amount-pad.browser.js'), COPY_SCRIPT),
} satisfies PageAssets;

function pageFile(name: string): URL {
  return new URL(name, import.meta.url);
}

/** Renders a document that waits for the cashier's request, takes an amount, or displays a request without a hosted page. */
export function renderTillCodePage(source: TillCodePageModel, language: PageLanguage): string {
  const model = plain(source);
  const text = { ...MESSAGES[language], ...TILL_CODE_MESSAGES[language] };
  return htmlDocument(<TillCodePage model={model} text={text} language={language} />);
}

interface Props {
  readonly model: TillCodePageModel;
  readonly text: TillCodeText;
  readonly language: PageLanguage;
}

function TillCodePage({ model, text, language }: Props): VNode {
  const { code, merchant, branding, direct, sandbox } = model;
  return (
    <DocumentShell
      language={language}
      title={text.payHere(merchant.name)}
      refresh={model.coins.length > 0 && direct === undefined ? undefined : 5}
      {...withBranding(TILL_CODE_ASSETS, branding)}
    >
      <NameBar name={merchant.name} branding={branding} badge={sandbox ? text.sandbox : undefined} />
      <main
        class="till-code"
        data-wait={`/public/pos/${encodeURIComponent(code)}`}
        data-shown={direct?.reference ?? ''}
        data-code={code}
      >
        {direct === undefined ? (
          <Empty model={model} text={text} language={language} />
        ) : (
          directPart(direct, text, language)
        )}
      </main>
      <footer>
        {sandbox && <p>{text.sandboxNote}</p>}
        <p id="offline" hidden>
          {text.reconnecting}
        </p>
        <p id="news" class="unseen" role="status" />
      </footer>
    </DocumentShell>
  );
}

function Empty(props: Props): VNode {
  const { model, text } = props;
  if (model.coins.length > 0) return <AmountPad {...props} />;
  return (
    <section class="work waiting state" aria-labelledby="title">
      <div class="line">
        <span class="mark" aria-hidden="true" />
        <h1 id="title">{text.nothingYet}</h1>
      </div>
      <p>{text.nothingYetNote}</p>
      <noscript>
        <p>
          <a class="button" href="?">
            {text.refresh}
          </a>
        </p>
      </noscript>
    </section>
  );
}

/** Displays everything that a wallet requires. The page has no payment status: a paid request only disappears from the point of sale. */
function directPart(direct: CheckoutPageModel, text: TillCodeText, language: PageLanguage): VNode {
  const view = pageView(direct, language);
  return (
    <>
      <SummaryPart {...view} />
      <div class="work">
        <section id="pay" aria-labelledby="pay-title">
          <h2 id="pay-title" class="unseen">
            {text.howToPay}
          </h2>
          <WaysToPay {...view} />
        </section>
        <section id="gone" class="state" hidden>
          <h2>{text.gone}</h2>
          <p>{text.goneNote}</p>
        </section>
      </div>
      <OrderPart {...view} />
    </>
  );
}
