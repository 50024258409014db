import type { VNode } from 'preact';
import { NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';
import { SHARED_MESSAGES } from '#shared/web/messages/shared-messages.js';
import { DocumentShell, htmlDocument } from '#shared/web/document/document-shell.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import {
  PairingScreen,
  PaymentScreen,
  CashRegisterScreen,
  TillScreen,
  SettingsScreen,
} from './till-screens.js';
import { TILL_PAGE_ASSETS, TILL_MESSAGES } from './till-assets.js';
import type { TillTexts } from './messages/till.en.js';

export interface TillPageModel {
  /** True on a development network, which uses test assets. */
  readonly sandbox: boolean;
  /** URL of the dashboard, without a trailing slash. */
  readonly dashboardUrl: string;
}

const MANIFEST_PATHS = { path: '/till/manifest.webmanifest', icon: '/till/icon-192.png' };

/** Renders one document with all screens of the till, without merchant data. The script shows one at a time. */
export function renderTillPage({ sandbox, dashboardUrl }: TillPageModel, language: PageLanguage): string {
  const text = TILL_MESSAGES[language].page;
  return htmlDocument(
    <DocumentShell
      language={language}
      title={text.name}
      style={TILL_PAGE_ASSETS[language].style}
      script={TILL_PAGE_ASSETS[language].script}
      manifest={MANIFEST_PATHS}
      body={{ 'data-dashboard': dashboardUrl }}
    >
      <header class="bar">
        <p class="name" id="till-name">
          {text.name}
        </p>
        {sandbox && <span class="badge">{SHARED_MESSAGES[language].sandbox}</span>}
        <nav aria-label={text.name}>
          <NavButton opens="sale" shows="pad tip payment" label={text.sale} />
          <NavButton opens="today" shows="today" label={text.today} />
          <NavButton opens="settings" shows="settings" label={text.settings} />
        </nav>
      </header>
      <p id="offline" role="status" hidden>
        {text.offline}
      </p>
      <main>
        <noscript>
          <p class="warning">{text.needsScript}</p>
        </noscript>
        <PairingScreen {...text} />
        <CashRegisterScreen {...text} />
        <TillScreen name="tip" title={text.tipTitle}>
          <p class="price" {...NOT_TRANSLATED} id="tip-total" />
          <div id="tips" />
        </TillScreen>
        <PaymentScreen {...text} />
        <TodayScreen {...text} />
        <SettingsScreen {...text} />
        <TillScreen name="broken" title={text.broken}>
          <p>{text.brokenNote}</p>
        </TillScreen>
      </main>
      <p id="news" class="unseen" role="status" />
    </DocumentShell>,
  );
}

function NavButton({ opens, shows, label }: { opens: string; shows: string; label: string }): VNode {
  return (
    <button type="button" data-opens={opens} data-shows={shows}>
      {label}
    </button>
  );
}

function TodayScreen(text: TillTexts['page']): VNode {
  return (
    <TillScreen name="today" title={text.today}>
      <p class="problem" id="today-problem" role="alert" hidden />
      <p class="label">{text.takenToday}</p>
      <p class="price" {...NOT_TRANSLATED} id="taken" />
      <p class="note" id="no-payments" hidden />
      <ul id="payments" />
    </TillScreen>
  );
}
