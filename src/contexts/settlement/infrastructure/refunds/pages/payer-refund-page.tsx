import type { VNode } from 'preact';
import { NOT_TRANSLATED, DetailItem, NOT_CORRECTED } from '#shared/web/parts/detail-item.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { PayerPage } from '#shared/web/document/payer-page.js';
import {
  CARD_STYLES,
  inlineAsset,
  type PageAssets,
  type PageBranding,
} from '#shared/web/document/inline-asset.js';
import { isolateTextDirection, stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import { formatUngroupedAmount } from '#shared/web/formatting/shown-amounts.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import type { RefundStatus } from '#contexts/settlement/contract/refund-events.js';
import { MAX_REFUND_ADDRESS_LENGTH } from '#contexts/settlement/domain/refunds/refund.js';
import { REFUND_MESSAGES, type RefundTexts } from './refund-messages.js';

/** The refund page needs no script, because forms do everything. */
export const REFUND_PAGE_ASSETS = {
  style: inlineAsset(...CARD_STYLES, new URL('./refund.browser.css', import.meta.url)),
  script: undefined,
} satisfies PageAssets;

export interface PayerRefundPageModel {
  readonly claim: string;
  readonly merchant: string;
  readonly branding?: PageBranding | undefined;
  readonly sandbox: boolean;
  /** Decimal string in whole units. */
  readonly amount: string;
  readonly symbol: string;
  readonly assetName: string;
  readonly networkName: string;
  readonly status: RefundStatus;
  /** In display form. Absent until the payer has named the address. */
  readonly address?: string;
  readonly transactionHash?: string;
  /** The payer has to confirm the address or, if `refused` is true, to correct it. */
  readonly written?: { readonly address: string; readonly refused: boolean };
}

function RefundPage({ model, language }: { model: PayerRefundPageModel; language: PageLanguage }): VNode {
  const text = REFUND_MESSAGES[language];
  const amount = formatUngroupedAmount(model.amount, model.symbol, language);
  return (
    <PayerPage
      language={language}
      title={text.title(model.merchant)}
      assets={REFUND_PAGE_ASSETS}
      merchant={model.merchant}
      branding={model.branding}
      sandbox={model.sandbox}
    >
      <main>
        <section aria-labelledby="title">
          <h1 id="title">
            <span class="label">{text.refund}</span>{' '}
            <span class="price" {...NOT_TRANSLATED}>
              {amount}
            </span>
          </h1>
        </section>
        <section class="work" aria-labelledby="work-title">
          <RefundPageBody model={model} text={text} amount={amount} />
        </section>
      </main>
    </PayerPage>
  );
}

interface RefundPageBodyProps {
  readonly model: PayerRefundPageModel;
  readonly text: RefundTexts;
  /** Formatted for display. */
  readonly amount: string;
}

function RefundPageBody({ model, text, amount }: RefundPageBodyProps): VNode {
  const { written, address, status } = model;
  if (status === 'failed' || address !== undefined) return <RefundOutcome model={model} text={text} />;
  if (written !== undefined && !written.refused)
    return <ConfirmAddressForm model={model} text={text} amount={amount} to={written.address} />;
  return <AddressForm model={model} text={text} />;
}

function AddressForm({ model, text }: { model: PayerRefundPageModel; text: RefundTexts }): VNode {
  const isRefused = model.written?.refused === true;
  return (
    <>
      <h2 id="work-title">{text.whereTo}</h2>
      <RefundDetails model={model} text={text} />
      <form method="post" action={refundPagePath(model)}>
        <div class="field">
          <label class="label" for="address">
            {text.addressOn(isolateTextDirection(model.networkName))}
          </label>
          <input
            id="address"
            name="refund_to_address"
            required
            maxLength={MAX_REFUND_ADDRESS_LENGTH}
            autocomplete="off"
            {...NOT_CORRECTED}
            aria-invalid={isRefused}
            aria-describedby="note"
            value={model.written?.address ?? ''}
          />
        </div>
        {isRefused && (
          <p class="warning" role="alert">
            {text.badAddress}
          </p>
        )}
        <p class="note" id="note">
          {text.ownWallet}
        </p>
        <button class="button primary">{text.goOn}</button>
      </form>
    </>
  );
}

function ConfirmAddressForm({ model, text, amount, to }: RefundPageBodyProps & { to: string }): VNode {
  return (
    <>
      <h2 id="work-title">{text.check}</h2>
      <RefundDetails model={model} text={text} address={to} amount={amount} />
      <p class="warning">{text.checkNote}</p>
      <form method="post" action={refundPagePath(model)}>
        <input type="hidden" name="refund_to_address" value={to} />
        <input type="hidden" name="confirmed" value="true" />
        <button class="button primary">{text.confirm}</button>
      </form>
      <a class="button" href={refundPagePath(model)}>
        {text.change}
      </a>
    </>
  );
}

function RefundOutcome({ model, text }: { model: PayerRefundPageModel; text: RefundTexts }): VNode {
  const merchant = isolateTextDirection(model.merchant);
  const [title, note] = {
    pending: [text.waiting, text.waitingNote(merchant)],
    processing: [text.onItsWay, text.onItsWayNote],
    completed: [text.paid, text.paidNote],
    failed: [text.notPaid, text.notPaidNote(merchant)],
  }[model.status] as [string, string];
  return (
    <>
      <h2 id="work-title">{title}</h2>
      <p>{note}</p>
      <RefundDetails model={model} text={text} address={model.address} hash={model.transactionHash} />
    </>
  );
}

interface RefundDetailsProps {
  readonly model: PayerRefundPageModel;
  readonly text: RefundTexts;
  readonly amount?: string;
  readonly address?: string | undefined;
  readonly hash?: string | undefined;
}

function RefundDetails({ model, text, amount, address, hash }: RefundDetailsProps): VNode {
  return (
    <dl class="facts">
      <DetailItem name={text.refund} exact>
        {amount}
      </DetailItem>
      <DetailItem name={text.asset}>
        {model.assetName} ({model.symbol})
      </DetailItem>
      <DetailItem name={text.network}>{model.networkName}</DetailItem>
      <DetailItem name={text.address}>
        {address !== undefined && (
          <span class="value" {...NOT_TRANSLATED}>
            {address}
          </span>
        )}
      </DetailItem>
      <DetailItem name={text.transaction}>
        {hash !== undefined && (
          <span class="value" {...NOT_TRANSLATED}>
            {hash}
          </span>
        )}
      </DetailItem>
    </dl>
  );
}

function refundPagePath({ claim }: PayerRefundPageModel): string {
  return `/refund/${encodeURIComponent(claim)}`;
}

export function renderPayerRefundPage(model: PayerRefundPageModel, language: PageLanguage): string {
  return htmlDocument(<RefundPage model={stripDirectionControls(model)} language={language} />);
}
