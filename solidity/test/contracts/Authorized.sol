// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

enum Mode {
    Well,
    /// Tells a separator that its domain does not have.
    OtherSeparator,
    /// Marks nonces as used, and moves a part of the value, or nothing.
    Stay,
    /// Takes every signature.
    Credulous
}

/// As the first tokens of EIP-3009 are: for accounts alone; its domain by EIP-5267. Misbehaves in one chosen way.
contract AccountsToken is ERC20("Accounts", "ACC"), EIP712("Accounts Dollar", "1") {
    bytes32 private constant TYPEHASH =
        keccak256(
            "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
    Mode private immutable MODE;
    mapping(address => mapping(bytes32 => bool)) public authorizationState;
    uint256 private moves;

    constructor(Mode mode) {
        MODE = mode;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function setMoves(uint256 value) external {
        moves = value;
    }

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return MODE == Mode.OtherSeparator ? keccak256("another domain") : _domainSeparatorV4();
    }

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
        require(block.timestamp > validAfter && block.timestamp < validBefore && !authorizationState[from][nonce]);
        bytes32 hash = _hashTypedDataV4(
            keccak256(abi.encode(TYPEHASH, from, to, value, validAfter, validBefore, nonce))
        );
        require(MODE == Mode.Credulous || ECDSA.recover(hash, v, r, s) == from);
        authorizationState[from][nonce] = true;
        _transfer(from, to, MODE == Mode.Stay && value > moves ? moves : value);
    }
}

/// Answers 32 bytes of zero to whatever it is asked.
contract AnyCallToken {
    fallback() external {
        assembly {
            return(0x80, 32)
        }
    }
}

/// The code at its own address says nothing of what it does.
contract TokenProxy {
    address private immutable IMPLEMENTATION;

    constructor(address implementation) {
        IMPLEMENTATION = implementation;
    }

    fallback() external {
        address implementation = IMPLEMENTATION;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let succeeded := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch succeeded
            case 0 {
                revert(0, returndatasize())
            }
            default {
                return(0, returndatasize())
            }
        }
    }
}

/// Accepts what its owner signs.
contract OwnedWallet is IERC1271 {
    address private immutable OWNER;

    constructor(address owner) {
        OWNER = owner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, , ) = ECDSA.tryRecoverCalldata(hash, signature);
        return signer == OWNER ? this.isValidSignature.selector : bytes4(0);
    }
}

contract YesWallet is IERC1271 {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return this.isValidSignature.selector;
    }
}

/// Goes on until nearly all gas is used, then says yes.
contract BurningWallet is IERC1271 {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        while (gasleft() > 30_000) {}
        return this.isValidSignature.selector;
    }
}
