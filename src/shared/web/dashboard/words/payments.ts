import type { Translations } from '../../messages/languages.js';

export const PAYMENT_WORDS = {
  'Payment requests, newest first': [
    'Solicitudes de pago, primero las más recientes',
    'Solicitações de pagamento, primeiro as mais recentes',
  ],
  'No payment requests match.': [
    'Ninguna solicitud de pago coincide.',
    'Nenhuma solicitação de pagamento corresponde.',
  ],
  'References must match exactly. Days are in UTC.': [
    'La referencia debe coincidir por completo. Los días son en UTC.',
    'A referência deve ser idêntica. Os dias são em UTC.',
  ],
  'No payment requests yet.': [
    'Todavía no hay solicitudes de pago.',
    'Ainda não há solicitações de pagamento.',
  ],
  'Payment requests are created by the API, a checkout or a payment link.': [
    'Las solicitudes de pago se crean con la API, una página de pago o un enlace de pago.',
    'As solicitações de pagamento são criadas pela API, por uma página de pagamento ou por um link de pagamento.',
  ],
  Expires: ['Caduca', 'Expira'],
  accepted: ['aceptado', 'aceito'],
  'How this was paid': ['Cómo se pagó', 'Como foi pago'],
  'Why this is not paid': ['Por qué no está pagado', 'Por que não está pago'],
  Timeline: ['Cronología', 'Linha do tempo'],
  Details: ['Detalles', 'Detalhes'],
  Order: ['Pedido', 'Pedido'],
  Receipt: ['Recibo', 'Recibo'],
  'View receipt': ['Ver recibo', 'Ver recibo'],
  'Deposit address': ['Dirección de depósito', 'Endereço de depósito'],
  'Network status': ['Estado de las redes', 'Status das redes'],
  Networks: ['Redes', 'Redes'],
  Block: ['Bloque', 'Bloco'],
  'Block time': ['Hora del bloque', 'Horário do bloco'],
  'The payer has not chosen an asset yet.': [
    'El pagador todavía no ha elegido un activo.',
    'O pagador ainda não escolheu um ativo.',
  ],
  '{amount} on {network}, {confirmations} of {needed} confirmations.': [
    '{amount} en {network}, {confirmations} de {needed} confirmaciones.',
    '{amount} na rede {network}, {confirmations} de {needed} confirmações.',
  ],
  'Not in a block yet.': ['Aún no está en un bloque.', 'Ainda não está em um bloco.'],
  'not provided by the network': ['la red no lo indica', 'a rede não informa'],
  'detected by balance': ['detectada por el saldo', 'detectada pelo saldo'],
  'Ledger: {type}': ['Contabilidad: {type}', 'Contabilidade: {type}'],
  'Ledger: incoming payment': ['Contabilidad: pago recibido', 'Contabilidade: pagamento recebido'],
  'Ledger: deposit': ['Contabilidad: depósito', 'Contabilidade: depósito'],
  'Ledger: refund': ['Contabilidad: reembolso', 'Contabilidade: reembolso'],
  'Ledger: adjustment': ['Contabilidad: ajuste', 'Contabilidade: ajuste'],
  'Settlement (total)': ['Liquidación (total)', 'Liquidação (total)'],
  'Webhook delivery pending': ['Entrega de webhook pendiente', 'Entrega de webhook pendente'],
  'Webhook delivered, attempt {attempt}': [
    'Webhook entregado, intento {attempt}',
    'Webhook entregue, tentativa {attempt}',
  ],
  'Webhook delivery failed ({reason}), attempt {attempt}': [
    'Falló la entrega del webhook ({reason}), intento {attempt}',
    'A entrega do webhook falhou ({reason}), tentativa {attempt}',
  ],
  'next attempt in {time}': ['próximo intento en {time}', 'próxima tentativa em {time}'],
} as const satisfies Translations;
