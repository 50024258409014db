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
  'References are found by their beginning. Days are in UTC.': [
    'Las referencias se buscan por su comienzo. Los días son en UTC.',
    'As referências são buscadas pelo começo. Os dias são em UTC.',
  ],
  'No payment requests yet.': [
    'Todavía no hay solicitudes de pago.',
    'Ainda não há solicitações de pagamento.',
  ],
  'Payment requests are created by the API, a checkout or a payment link.': [
    'Las solicitudes de pago se crean con la API, una página de pago o un enlace de pago.',
    'As solicitações de pagamento são criadas pela API, por uma página de pagamento ou por um link de pagamento.',
  ],
  'Accept {amount} as paid': ['Aceptar {amount} como pagado', 'Aceitar {amount} como pago'],
  'Accepted as paid.': ['Aceptado como pagado.', 'Aceito como pago.'],
  'Ask for the remainder': ['Pedir lo que falta', 'Pedir o que falta'],
  'Copy payment link': ['Copiar el enlace de pago', 'Copiar o link de pagamento'],
  'Open checkout': ['Abrir la página de pago', 'Abrir a página de pagamento'],
  Detected: ['Detectado', 'Detectado'],
  Reached: ['Alcanzado', 'Alcançado'],
  Waiting: ['En espera', 'Aguardando'],
  'Waiting for the remainder': ['Esperando lo que falta', 'Aguardando o que falta'],
  'Received too late': ['Recibido demasiado tarde', 'Recebido tarde demais'],
  'Not reached': ['No alcanzado', 'Não alcançado'],
  '{received} of {amount}': ['{received} de {amount}', '{received} de {amount}'],
  Expires: ['Caduca', 'Expira'],
  accepted: ['aceptado', 'aceito'],
  'How this was paid': ['Cómo se pagó', 'Como foi pago'],
  'Why this is not paid': ['Por qué no está pagado', 'Por que não está pago'],
  'Technical details': ['Detalles técnicos', 'Detalhes técnicos'],
  'Paid in full.': ['Pagado por completo.', 'Pago por completo.'],
  'Paid, with {amount} too much.': ['Pagado, con {amount} de más.', 'Pago, com {amount} a mais.'],
  'The time to pay is over, and {amount} is missing.': [
    'El plazo terminó y faltan {amount}.',
    'O prazo terminou e faltam {amount}.',
  ],
  'Accepted as paid, although {amount} is missing.': [
    'Aceptado como pagado, aunque faltan {amount}.',
    'Aceito como pago, embora faltem {amount}.',
  ],
  'Part of the payment was received. {amount} is missing.': [
    'Se recibió una parte del pago. Faltan {amount}.',
    'Parte do pagamento foi recebida. Faltam {amount}.',
  ],
  'Received. It has {confirmations} of {needed} confirmations.': [
    'Recibido. Tiene {confirmations} de {needed} confirmaciones.',
    'Recebido. Tem {confirmations} de {needed} confirmações.',
  ],
  'Received. A second node has not confirmed it yet.': [
    'Recibido. Un segundo nodo todavía no lo ha confirmado.',
    'Recebido. Um segundo nó ainda não confirmou.',
  ],
  'Only an amount below the minimum of the asset was received.': [
    'Solo se recibió un importe inferior al mínimo del activo.',
    'Só foi recebido um valor abaixo do mínimo do ativo.',
  ],
  'No payment was detected yet.': [
    'Todavía no se detectó ningún pago.',
    'Ainda não foi detectado nenhum pagamento.',
  ],
  'The service has not read the network up to now, so a payment may not be visible yet.': [
    'El servicio no ha leído la red hasta ahora, así que puede que un pago todavía no se vea.',
    'O serviço não leu a rede até agora, então um pagamento pode ainda não aparecer.',
  ],
  'Nothing was paid before the time was over.': [
    'No se pagó nada antes de que terminara el plazo.',
    'Nada foi pago antes do fim do prazo.',
  ],
  'The payment was received too late, so it does not count.': [
    'El pago llegó demasiado tarde, así que no cuenta.',
    'O pagamento chegou tarde demais, então não conta.',
  ],
  'Funds were received after the payment had ended. They do not count.': [
    'Llegaron fondos después de que el pago terminara. No cuentan.',
    'Chegaram fundos depois que o pagamento terminou. Não contam.',
  ],
  'Funds were received that do not count towards this payment yet.': [
    'Se recibieron fondos que todavía no cuentan para este pago.',
    'Foram recebidos fundos que ainda não contam para este pagamento.',
  ],
  'Another asset was received. It does not count.': [
    'Se recibió otro activo. No cuenta.',
    'Foi recebido outro ativo. Não conta.',
  ],
  'The chain has reversed the payment. The operator checks it before the funds are settled.': [
    'La cadena ha revertido el pago. El operador lo revisa antes de liquidar los fondos.',
    'A cadeia reverteu o pagamento. O operador o verifica antes de liquidar os fundos.',
  ],
  'The asset or its network is no longer available.': [
    'El activo o su red ya no está disponible.',
    'O ativo ou sua rede não está mais disponível.',
  ],
  'It counts towards this payment.': ['Cuenta para este pago.', 'Conta para este pagamento.'],
  'It counts towards this payment once it is final.': [
    'Cuenta para este pago en cuanto sea definitiva.',
    'Conta para este pagamento assim que for definitiva.',
  ],
  '{amount} was received outside this payment and has not been refunded.': [
    'Se recibieron {amount} fuera de este pago y no se han reembolsado.',
    'Foram recebidos {amount} fora deste pagamento e ainda não foram reembolsados.',
  ],
  '{person} accepted the underpayment as paid.': [
    '{person} aceptó el pago incompleto como pagado.',
    '{person} aceitou o pagamento incompleto como pago.',
  ],
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
  'Ledger: unexpected payment': ['Contabilidad: pago inesperado', 'Contabilidade: pagamento inesperado'],
  'Ledger: refund': ['Contabilidad: reembolso', 'Contabilidade: reembolso'],
  'Ledger: adjustment': ['Contabilidad: ajuste', 'Contabilidade: ajuste'],
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
