import type { VNode } from 'preact';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { PayerPage } from '#shared/web/document/payer-page.js';
import { isolateTextDirection, stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { subscriptionPagePath, type SubscriptionPageModel, wordsOf } from './subscription-page-model.js';
import { Description, SUBSCRIPTION_PAGE_ASSETS, type SubscriptionPageProps } from './subscription-page.js';

/** Opening the page changes nothing; only its form revokes the subscription. */
function RevokePage({ model, language }: SubscriptionPageProps): VNode {
  const { text, price } = wordsOf(model, language);
  return (
    <PayerPage
      language={language}
      title={text.title(model.merchant)}
      assets={SUBSCRIPTION_PAGE_ASSETS}
      merchant={model.merchant}
      branding={model.branding}
      sandbox={model.sandbox}
    >
      <main>
        <section class="work" aria-labelledby="title">
          <h1 id="title" class="question">
            {text.revokeTitle(isolateTextDirection(model.merchant))}
          </h1>
          <Description model={model} />
          <p>{text.revokeStops(price, text.every[model.interval])}</p>
          <p>{text.revokeOpen}</p>
          <p class="warning">{text.revokePermanently}</p>
          <form method="post" action={subscriptionPagePath(model, '/revoke')}>
            <button class="button danger">{text.revokeYes}</button>
          </form>
          <a class="button" href={subscriptionPagePath(model)}>
            {text.revokeNo}
          </a>
        </section>
      </main>
    </PayerPage>
  );
}

export function renderRevokePage(model: SubscriptionPageModel, language: PageLanguage): string {
  return htmlDocument(<RevokePage model={stripDirectionControls(model)} language={language} />);
}
