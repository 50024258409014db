import type { Translations } from './translation.js';

/** Payment requests: the list, and the page of one. */
export const PAYMENT_WORDS = {
  'Payment requests, newest first': [
    'Solicitudes de pago, primero las más recientes',
    'Solicitações de pagamento, primeiro as mais recentes',
  ],
  'No payment request matches.': [
    'Ninguna solicitud de pago coincide.',
    'Nenhuma solicitação de pagamento corresponde.',
  ],
  'A reference is searched whole, and days are of UTC.': [
    'La referencia se busca completa, y los días son de UTC.',
    'A referência é buscada por inteiro, e os dias são de UTC.',
  ],
  'No payment request yet.': [
    'Todavía no hay solicitudes de pago.',
    'Ainda não há solicitações de pagamento.',
  ],
  'A request is created by the API, by a checkout, or when somebody opens a payment link.': [
    'Las solicitudes se crean por la API, en una página de pago, o cuando alguien abre un enlace de pago.',
    'As solicitações são criadas pela API, em uma página de pagamento, ou quando alguém abre um link de pagamento.',
  ],
  Expires: ['Caduca', 'Expira'],
  accepted: ['aceptado', 'aceito'],
  'How it was paid': ['Cómo se pagó', 'Como foi pago'],
  'Why isn’t it paid?': ['¿Por qué no está pagado?', 'Por que não está pago?'],
  Timeline: ['Cronología', 'Linha do tempo'],
  Details: ['Detalles', 'Detalhes'],
  Order: ['Pedido', 'Pedido'],
  Receipt: ['Recibo', 'Recibo'],
  'What the payer sees': ['Lo que ve el pagador', 'O que o pagador vê'],
  'Deposit address': ['Dirección de depósito', 'Endereço de depósito'],
  'How far networks are read': ['Hasta dónde se leyeron las redes', 'Até onde as redes foram lidas'],
  Networks: ['Redes', 'Redes'],
  Block: ['Bloque', 'Bloco'],
  'Its time': ['Hora del bloque', 'Horário do bloco'],
  'No network was offered yet: the payer has not chosen an asset.': [
    'Todavía no se ofreció ninguna red: el pagador no ha elegido un activo.',
    'Nenhuma rede foi oferecida ainda: o pagador não escolheu um ativo.',
  ],
  '{amount} on {network}, {confirmations} of {needed} confirmations.': [
    '{amount} en {network}, {confirmations} de {needed} confirmaciones.',
    '{amount} na rede {network}, {confirmations} de {needed} confirmações.',
  ],
  'It waits for its first block.': ['Espera su primer bloque.', 'Aguarda seu primeiro bloco.'],
  'not named by the chain': ['la cadena no lo nombra', 'a rede não informa'],
  'found by its balance': ['encontrada por el saldo', 'encontrada pelo saldo'],
  'Ledger: {type}': ['Asiento: {type}', 'Lançamento: {type}'],
  'Ledger: payment in': ['Asiento: pago recibido', 'Lançamento: pagamento recebido'],
  'Ledger: deposit': ['Asiento: depósito', 'Lançamento: depósito'],
  'Ledger: refund': ['Asiento: reembolso', 'Lançamento: reembolso'],
  'Ledger: adjustment': ['Asiento: ajuste', 'Lançamento: ajuste'],
  'Settlement with this payment, in all': [
    'Liquidación que incluye este pago, en total',
    'Liquidação que inclui este pagamento, no total',
  ],
  'Webhook {event}, waiting': ['Webhook {event}, en espera', 'Webhook {event}, à espera'],
  'Webhook {event}, attempt {attempt}{answer}': [
    'Webhook {event}, intento {attempt}{answer}',
    'Webhook {event}, tentativa {attempt}{answer}',
  ],
} as const satisfies Translations;
