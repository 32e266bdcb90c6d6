// What the scanner needs of @zxing/library 0.23.0, whose bundle lies beside this file as its npm package has it (tools/verify.sh
// compares).
export declare enum BarcodeFormat { CODE_128 = 4, EAN_8 = 6, EAN_13 = 7, UPC_A = 14 }
export declare enum DecodeHintType { POSSIBLE_FORMATS = 2, TRY_HARDER = 3 }
export declare class RGBLuminanceSource {
  constructor(luminances: Uint8ClampedArray, width: number, height: number);
}
export declare class HybridBinarizer {
  constructor(source: RGBLuminanceSource);
}
export declare class BinaryBitmap {
  constructor(binarizer: HybridBinarizer);
}
export declare class MultiFormatReader {
  setHints(hints: Map<DecodeHintType, unknown>): void;
  decodeWithState(bitmap: BinaryBitmap): { getText(): string };
}
