import type { VNode } from 'preact';
import type { PageSelection } from '../checkout-page-model.js';
import type { PageView } from '../page-view.js';
import { SANDBOX_WALLET_SCRIPT, WALLET_SCRIPTS, type PageScript } from '../page-scripts.js';

/**
 * Placeholder for the browser wallet. Empty and hidden until the script finds a wallet (docs/reference/hosted-page.md, "Wallets in the
 * browser").
 */
export function BrowserWallet({ model, language, selected }: PageView & { selected: PageSelection }): VNode {
  const { wallets: network } = selected;
  if (network === undefined) return <section id="browser-wallet" hidden />;
  return (
    <section
      id="browser-wallet"
      hidden
      data-script={loadable(WALLET_SCRIPTS[language])}
      data-sandbox={model.sandbox ? loadable(SANDBOX_WALLET_SCRIPT) : undefined}
      data-session={model.sessionId}
      data-chain-id={network.chainId}
      data-chain-name={selected.networkName}
      data-token={network.token}
      data-decimals={network.decimals}
      data-symbol={selected.symbol}
      data-to={selected.address}
      data-units={selected.missingUnits.toString()}
      data-native-symbol={network.nativeSymbol}
      data-rpc={network.rpcUrl}
      data-explorer={network.explorerUrl}
    />
  );
}

/** Joins the path and the integrity hash of a script in one attribute. */
function loadable({ path, hash }: PageScript): string {
  return `${path} ${hash.slice(1, -1)}`;
}
