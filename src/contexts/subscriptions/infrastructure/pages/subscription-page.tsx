import type { ComponentChildren, VNode } from 'preact';
import { EXACT } from '#shared/web/parts/exact.js';
import { DocumentShell, htmlDocument } from '#shared/web/document/document-shell.js';
import { CARD_STYLES, inlineAsset, type PageAssets } from '#shared/web/document/inline-asset.js';
import { isolated, plain } from '#shared/web/formatting/plain-text.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { NameBar } from '#shared/web/parts/name-bar.js';
import { wordsOf } from './page-words.js';
import { ChargesPart } from './parts/charges-part.js';
import { StatusPart } from './parts/status-part.js';
import { TermsPart } from './parts/terms-part.js';
import { pathOf, type SubscriptionPageModel } from './subscription-page-model.js';

/** Needs no script, because forms and links do everything. */
export const SUBSCRIPTION_ASSETS = {
  style: inlineAsset(...CARD_STYLES, new URL('./subscription.browser.css', import.meta.url)),
  script: undefined,
} satisfies PageAssets;

interface PageProps {
  readonly model: SubscriptionPageModel;
  readonly language: PageLanguage;
}

function SubscriptionPage({ model, language }: PageProps): VNode {
  const words = wordsOf(model, language);
  return (
    <Shell model={model} language={language}>
      <main class="wide">
        <section class="summary" aria-labelledby="title">
          <h1 id="title">
            <span class="label">{words.text.subscription}</span>{' '}
            <span class="price" {...EXACT}>
              {words.price}
            </span>{' '}
            <span>{words.text.every[model.interval]}</span>
          </h1>
        </section>
        <div class="now">
          <StatusPart model={model} words={words} />
          <ChargesPart model={model} words={words} />
        </div>
        <TermsPart model={model} words={words} />
      </main>
    </Shell>
  );
}

/** Opening this confirmation changes nothing. */
function RevokePage({ model, language }: PageProps): VNode {
  const { text, price } = wordsOf(model, language);
  return (
    <Shell model={model} language={language}>
      <main>
        <section class="work" aria-labelledby="title">
          <h1 id="title" class="question">
            {text.revokeTitle(isolated(model.merchant))}
          </h1>
          <p>{text.revokeStops(price, text.every[model.interval])}</p>
          <p>{text.revokeOpen}</p>
          <p class="warning">{text.revokeForGood}</p>
          <form method="post" action={pathOf(model, '/revoke')}>
            <button class="button danger">{text.revokeYes}</button>
          </form>
          <a class="button" href={pathOf(model)}>
            {text.revokeNo}
          </a>
        </section>
      </main>
    </Shell>
  );
}

function Shell({ model, language, children }: PageProps & { children: ComponentChildren }): VNode {
  const { text } = wordsOf(model, language);
  return (
    <DocumentShell
      language={language}
      title={text.title(model.merchant)}
      style={SUBSCRIPTION_ASSETS.style}
      branding={model.branding}
    >
      <NameBar name={model.merchant} branding={model.branding} />
      {children}
    </DocumentShell>
  );
}

export function renderSubscriptionPage(model: SubscriptionPageModel, language: PageLanguage): string {
  return htmlDocument(<SubscriptionPage model={plain(model)} language={language} />);
}

export function renderRevokePage(model: SubscriptionPageModel, language: PageLanguage): string {
  return htmlDocument(<RevokePage model={plain(model)} language={language} />);
}
