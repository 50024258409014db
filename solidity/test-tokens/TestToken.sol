// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title An ERC-20 for the sandbox and the tests: anyone may mint
/// @notice Takes payments by signature (EIP-3009) in both forms, with a name and a version of its domain, as USDC does.
contract TestToken is ERC20 {
    string public constant version = "2";
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH =
        keccak256(
            "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    uint8 private immutable DECIMALS;

    /// Whether a holder's nonce was used or cancelled.
    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    error InvalidSignature();
    error UsedNonce();
    error NotValidNow();

    constructor(string memory name_, string memory symbol_, uint8 decimals_) ERC20(name_, symbol_) {
        DECIMALS = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return DECIMALS;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 name_ = keccak256(bytes(name()));
        return keccak256(abi.encode(DOMAIN_TYPEHASH, name_, keccak256("2"), block.chainid, address(this)));
    }

    /// @notice Signed by an account
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice Signed by an account, or accepted by a contract (EIP-1271)
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public virtual {
        if (block.timestamp <= validAfter || block.timestamp >= validBefore) revert NotValidNow();
        bytes32 typeHash = TRANSFER_WITH_AUTHORIZATION_TYPEHASH;
        _use(from, nonce, keccak256(abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce)), signature);
        emit AuthorizationUsed(from, nonce);
        _transfer(from, to, value);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) external {
        _use(authorizer, nonce, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), signature);
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function _use(address authorizer, bytes32 nonce, bytes32 structHash, bytes memory signature) internal {
        if (authorizationState[authorizer][nonce]) revert UsedNonce();
        bytes32 hash = MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), structHash);
        if (!SignatureChecker.isValidSignatureNow(authorizer, hash, signature)) revert InvalidSignature();
        authorizationState[authorizer][nonce] = true;
    }
}
