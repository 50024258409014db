// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {TestToken} from "../../test-tokens/TestToken.sol";

/// As the first tokens of EIP-3009 are: for accounts alone; its domain by EIP-5267.
contract AccountsToken is ERC20("Accounts", "ACC"), EIP712("Accounts Dollar", "1") {
    bytes32 private constant TYPEHASH =
        keccak256(
            "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function DOMAIN_SEPARATOR() external view virtual returns (bytes32) {
        return _domainSeparatorV4();
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
        require(ECDSA.recover(hash, v, r, s) == from);
        authorizationState[from][nonce] = true;
        _transfer(from, to, value);
    }
}

/// Tells a separator that its domain does not have.
contract OtherDomainToken is AccountsToken {
    function DOMAIN_SEPARATOR() external pure override returns (bytes32) {
        return keccak256("another domain");
    }
}

/// Marks nonces as used, and moves a part of the value, or nothing.
contract StayingToken is TestToken("Staying", "STAY", 6) {
    uint256 public moves;

    function setMoves(uint256 value) external {
        moves = value;
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public override {
        super.transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, signature);
        if (value > moves) _transfer(to, from, value - moves);
    }
}

/// Takes every signature.
contract CredulousToken is TestToken("Credulous", "CRED", 6) {
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256,
        uint256,
        bytes32 nonce,
        bytes memory
    ) public override {
        authorizationState[from][nonce] = true;
        _transfer(from, to, value);
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

/// Behind a proxy: what the constructor of a token stores is not there.
contract ProxiedDollar is TestToken("", "", 6) {
    function name() public pure override returns (string memory) {
        return "Proxied Dollar";
    }
}

contract TokenProxy is ERC1967Proxy {
    constructor(address implementation) ERC1967Proxy(implementation, "") {}

    function _unsafeAllowUninitialized() internal pure override returns (bool) {
        return true;
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
