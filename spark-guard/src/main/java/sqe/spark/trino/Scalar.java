package sqe.spark.trino;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A static method that is a function of Trino's, under the method's name. Spark's types follow from Java's where these are enough:
 * numbers, {@code boolean}, {@code UTF8String} and {@code byte[]}.
 *
 * <p>Methods of one name are the forms of one function. A method is not called when an argument is NULL.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Scalar {
  /** The function's name, where it is not the method's. */
  String value() default "";

  /** Spark's types of the arguments, as its DDL has them; one that is empty follows from Java's. */
  String[] takes() default {};

  /** Spark's type of the result, as its DDL has it. */
  String returns() default "";

  /** Trino's type of the result, where Spark's does not say it: {@code json}, {@code char(1)}, {@code timestamp(3)}. */
  String typed() default "";

  /** Whether the method is called with NULLs too. */
  boolean nulls() default false;
}
