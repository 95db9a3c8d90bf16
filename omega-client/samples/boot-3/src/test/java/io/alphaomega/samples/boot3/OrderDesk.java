package io.alphaomega.samples.boot3;

/** What is called by Dubbo, which makes a class of it. */
public interface OrderDesk {
    void order(String item);
}
