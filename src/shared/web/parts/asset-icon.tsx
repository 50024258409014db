import type { VNode } from 'preact';

/** Colour and lines of a mark within 32 × 32 units. Own drawings, because logos are trademarks. */
type Drawing = readonly [colour: string, lines: string];

const ETHER: Drawing = ['#627eea', 'M16 6l7 10-7 10-7-10zM9 16l7 3 7-3'];
const BITCOIN: Drawing = ['#c96f0c', 'M12 8h5c5 0 5 8 0 8h-5h5c7 0 7 8 0 8h-5zM15 5v3M15 24v3'];
const BNB: Drawing = ['#a87b00', 'M16 7l9 9-9 9-9-9z'];
const AVALANCHE: Drawing = ['#d63a3f', 'M16 8l9 15h-18z'];
const POLYGON: Drawing = ['#7b3fe4', 'M16 7l8 4.5v9l-8 4.5-8-4.5v-9z'];
const TRON: Drawing = ['#c8102e', 'M8 9l16 3-9 13z'];

/** The key is an asset's symbol or the first word of a network's name. */
const DRAWINGS: Readonly<Record<string, Drawing>> = {
  USDC: ['#2775ca', 'M16 6v20M20.5 12c0-4-9-4-9 0s9 4 9 8-9 4-9 0'],
  USDT: ['#1b8265', 'M9 9h14M16 9v15M9 15c0 4 14 4 14 0'],
  EURC: ['#1a4fd6', 'M21 10c-13-5-13 17 0 12M8 14h10M8 18h10'],
  DAI: ['#a86a0a', 'M11 9h4c9 0 9 14 0 14h-4zM7 14h18M7 18h18'],
  ...{ ETH: ETHER, Ethereum: ETHER, BTC: BITCOIN, Bitcoin: BITCOIN, BNB, AVAX: AVALANCHE },
  ...{ Avalanche: AVALANCHE, POL: POLYGON, Polygon: POLYGON, TRX: TRON, TRON },
  Arbitrum: ['#2d6fb3', 'M10 24l6-16 6 16M13 18h6'],
  Base: ['#0052ff', 'M8 16h16'],
  Optimism: ['#d92b24', 'M10 16a6 6 0 1 0 12 0 6 6 0 1 0-12 0'],
};

/** A round mark of an asset with a small one of its network. Decorative: the text beside it names both. */
export function AssetIcon({ symbol, network }: { symbol: string; network: string }): VNode {
  const [word = ''] = network.split(' ');
  const isOwnNetwork = DRAWINGS[symbol] !== undefined && DRAWINGS[symbol] === DRAWINGS[word];
  return (
    <svg class="coin" viewBox="0 0 36 32" width="36" height="32" aria-hidden="true">
      <Mark name={symbol} />
      {!isOwnNetwork && (
        <g transform="matrix(.47 0 0 .47 20 16.5)">
          <Mark name={word} />
        </g>
      )}
    </svg>
  );
}

function Mark({ name }: { name: string }): VNode {
  const [colour, lines] = DRAWINGS[name] ?? ['#5a6884'];
  return (
    <>
      <circle cx="16" cy="16" r="16" fill={colour} />
      {lines === undefined ? (
        <text x="16" y="22">
          {name.slice(0, 1).toUpperCase()}
        </text>
      ) : (
        <path d={lines} />
      )}
    </>
  );
}
